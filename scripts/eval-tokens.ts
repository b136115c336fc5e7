import { existsSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { JsonObject } from '../src/base/json.ts';
import { riskOf } from '../src/catalog/risk.ts';
import { openSurface } from '../src/gateway/surfaces/open-surface.ts';
import { indexedSearch } from '../src/gateway/surfaces/indexed-search.ts';
import { instructionsOf } from '../src/gateway/surfaces/instructions.ts';
import type { SurfaceParts } from '../src/gateway/surfaces/parts.ts';
import { serverToolName } from '../src/gateway/surfaces/server-tool.ts';
import type { MakeCall, Surface } from '../src/gateway/surface.ts';
import type { ServerView, ToolList, ToolView } from '../src/hub/hub.ts';
import type { ToolSearchQuery } from '../src/hub/calls.ts';
import { CatalogSearch } from '../src/catalog/search.ts';

/**
 * `npm run eval:tokens -- CORPUS [QUERIES]`: what a model is shown of real tools in each mode, in
 * tokens (o200k). CORPUS is a JSON list of `{ id, server, serverDesc, name, title, description,
 * inputSchema }`. With QUERIES, a list of `{ id, query, gold: [[id…]…] }`, it also tells what a whole
 * task costs in each mode: the list and the instructions, and what is read to find the tools that the
 * task needs, with their schemas. In `search` and `code` the sentences of the task are the queries; in
 * `servers` each server that is needed is described. What the model writes itself is not counted, nor
 * are results.
 */
interface Listed {
  readonly id: string;
  readonly server: string;
  readonly serverDesc?: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonObject;
}
interface Task {
  readonly query: string;
  readonly gold: readonly (readonly string[])[];
}

const QUERIES_MAX = 4;
const never: MakeCall = Object.assign(() => Promise.reject(new Error('Nothing is called here.')), {
  signal: new AbortController().signal,
  note: () => undefined,
});

const [corpusFile, queriesFile] = process.argv.slice(2);
const corpus = listIn(corpusFile, 'CORPUS', ['server', 'name']) as readonly Listed[];
const tasks =
  queriesFile === undefined ? [] : (listIn(queriesFile, 'QUERIES', ['query', 'gold']) as readonly Task[]);

const tools = corpus.map(toolOf);
const list: ToolList = { tools, withheld: [], unavailable: [] };
const servers = [...Map.groupBy(corpus, ({ server }) => server)];
const parts = partsOf(list);
const definitions = {
  all: await openSurface('all', parts).list(),
  servers: await openSurface('servers', parts).list(),
  search: await openSurface('search', parts).list(),
  code: await openSurface('code', parts).list(),
};

const instructions = {
  all: (await instructionsOf('all', parts)) ?? '',
  servers: (await instructionsOf('servers', parts)) ?? '',
  search: (await instructionsOf('search', parts)) ?? '',
  code: (await instructionsOf('code', parts)) ?? '',
};

const flat = tokensOf(definitions.all);
console.log(`${corpusFile}: ${tools.length} tools of ${servers.length} servers`);
console.table(
  Object.fromEntries(
    Object.entries(definitions).map(([mode, shown]) => [
      mode,
      {
        definitions: shown.length,
        tokens: tokensOf(shown),
        'times less': round(flat / tokensOf(shown)),
        instructions: count(instructions[mode as keyof typeof instructions]), // the same keys
      },
    ]),
  ),
);
const perServer = definitions.servers.slice(0, servers.length).map((definition) => tokensOf([definition]));
console.log(
  `servers: ${round(average(perServer))} tokens a server on average, at most ${Math.max(...perServer)}` +
    `; all: ${round(flat / servers.length)} a server, ${round(flat / tools.length)} a tool`,
);
const describing = openSurface('servers', parts);
const descriptions: number[] = [];
for (const [id] of servers) {
  const answer = await describing.call(serverToolName(id), { action: 'describe' }, never);
  descriptions.push(count(textIn(answer)));
}
console.log(
  `describe: ${round(average(descriptions))} tokens on average, at most ${Math.max(...descriptions)}`,
);
if (tasks.length > 0) await evaluateTasks();

/** What a task reads in each mode to find its tools, beside the list and the instructions. */
async function evaluateTasks(): Promise<void> {
  const byId = new Map(corpus.map(({ id, server, name }) => [id, `${server}/${name}`]));
  const servers = openSurface('servers', parts);
  const search = openSurface('search', parts);
  const code = openSurface('code', parts);
  const read = { all: 0, servers: 0, search: 0, 'search, query by query': 0, code: 0 };
  const answered = async (surface: Surface, name: string, args: JsonObject): Promise<string> =>
    textIn(await surface.call(name, args, never));
  let [needed, reached] = [0, 0];
  for (const { query, gold } of tasks) {
    const queries = sentencesOf(query);
    const refs = [...new Set(gold.flatMap(([first]) => byId.get(first ?? '') ?? []))];
    const together = await answered(search, 'search_tools', { queries });
    needed += gold.length;
    reached += gold.filter((any) => any.some((id) => isNamed(together, byId.get(id) ?? ''))).length;
    const schemas = refs.length === 0 ? '' : await answered(search, 'describe_tool', { names: refs });
    read.search += count(together) + count(schemas);
    for (const one of queries)
      read['search, query by query'] += count(await answered(search, 'search_tools', { queries: [one] }));
    read['search, query by query'] += count(schemas);
    for (const [server, own] of Map.groupBy(refs, (ref) => ref.slice(0, ref.indexOf('/')))) {
      const operations = own.map((ref) => ref.slice(server.length + 1));
      const name = serverToolName(server);
      const described = await answered(servers, name, { action: 'describe' });
      read.servers += count(described);
      if (described.startsWith('{')) continue;
      read.servers += count(await answered(servers, name, { action: 'describe', params: { operations } }));
    }
    const look = `return [${queries.map((one) => `await tools.search(${JSON.stringify(one)})`).join(', ')}]`;
    read.code += count(await answered(code, 'run_script', { code: look }));
    const types = `return await tools.describe(${refs.map((ref) => JSON.stringify(ref)).join(', ')})`;
    if (refs.length > 0) read.code += count(await answered(code, 'run_script', { code: types }));
  }
  console.log(`\n${queriesFile}: ${tasks.length} tasks, tokens a task on average`);
  const rows = Object.entries(read).map(([mode, tokens]) => {
    const shown = mode.startsWith('search') ? 'search' : (mode as 'all' | 'servers' | 'code'); // the keys of read
    const fixed = { list: tokensOf(definitions[shown]), instructions: count(instructions[shown]) };
    const reading = round(tokens / tasks.length);
    return [mode, { ...fixed, reading, 'all in': round(fixed.list + fixed.instructions + reading) }];
  });
  console.table(Object.fromEntries(rows));
  console.log(`auto: ${await openSurface('auto', parts).mode()}`);
  console.log(
    `${round((100 * reached) / needed)} % of the tools that tasks need are named by the one search`,
  );
}

/** Short queries, as a model is asked to write them: one for each sentence of the task, the first few. */
function sentencesOf(text: string): readonly string[] {
  const sentences = text
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((part) => part.trim())
    .filter((part) => part.length > 8);
  return (sentences.length === 0 ? [text] : sentences).slice(0, QUERIES_MAX);
}

function toolOf({ server, name, title, description, inputSchema }: Listed): ToolView {
  const definition = {
    name,
    ...(title === undefined || title === '' ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchema ?? { type: 'object' },
  };
  const { risk, from } = riskOf(definition, { server });
  const shown = { ...(title ? { title } : {}), ...(description === undefined ? {} : { description }) };
  return {
    ref: `${server}/${name}`,
    server,
    name,
    ...shown,
    risk,
    riskFrom: from,
    flags: [],
    pinned: false,
    definition,
  };
}

/** Nothing runs here: of the hub only what servers say of themselves is asked for. */
function partsOf(all: ToolList): SurfaceParts {
  const views = servers.map(([id, [first]]) => ({
    id,
    serverInfo: { description: first?.serverDesc ?? '' },
    state: { kind: 'ready' },
  }));
  const about = new Map(views.map(({ id, serverInfo }) => [id, serverInfo.description]));
  const found = new CatalogSearch();
  const hub = {
    servers: { list: () => Promise.resolve({ servers: views as unknown as readonly ServerView[] }) }, // see above
    tools: {
      search: ({ within, ...query }: ToolSearchQuery) =>
        Promise.resolve(found.find({ ...query, tools: within.tools, describe: (id) => about.get(id) })),
      list: ({ server }: { readonly server: string }) =>
        Promise.resolve({ ...all, tools: all.tools.filter((tool) => tool.server === server) }),
    },
  } as unknown as SurfaceParts['hub'];
  const tools = (): Promise<ToolList> => Promise.resolve(all);
  const search = indexedSearch({ hub });
  return { hub, scope: {}, tools, search, tokensMax: 8_000, names: 'server__tool' };
}

function tokensOf(shown: readonly JsonObject[]): number {
  return shown.reduce((sum, definition) => sum + count(JSON.stringify(definition)), 0);
}

/** As a hit, or among the names of its server's others. */
function isNamed(text: string, ref: string): boolean {
  const [server = '', name = ''] = ref.split('/');
  const others = text.split('\n').find((line) => line.startsWith(`Also ${server}__: `)) ?? '';
  return text.includes(`${server}__${name}(`) || others.split(/[\s,]+/).includes(name);
}

function textIn(answer: JsonObject): string {
  const content = answer['content'] as readonly { readonly text: string }[]; // tools of ours answer so
  return content.map(({ text }) => text).join('\n');
}

function count(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() });
}

/** Items that have these fields; what stands in them is taken as it is. */
function listIn(file: string | undefined, what: string, fields: readonly string[]): readonly unknown[] {
  const usage = 'Usage: npm run eval:tokens -- CORPUS [QUERIES]';
  if (file === undefined || !existsSync(file)) fail(`There is no file ${file ?? what}. ${usage}`);
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isGood =
      Array.isArray(value) && value.every((item: object) => fields.every((field) => field in item));
    if (isGood && value.length > 0) return value;
  } catch {
    // Said below.
  }
  return fail(`${file} is no JSON list of objects with ${fields.join(', ')}. ${usage}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function average(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
