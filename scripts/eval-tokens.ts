import { existsSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { JsonObject } from '../src/base/json.ts';
import { riskOf } from '../src/catalog/risk.ts';
import { openSurface } from '../src/gateway/surfaces/open-surface.ts';
import { indexedSearch } from '../src/gateway/surfaces/indexed-search.ts';
import type { SurfaceParts } from '../src/gateway/surfaces/parts.ts';
import type { MakeCall } from '../src/gateway/surface.ts';
import type { ServerView, ToolList, ToolView } from '../src/hub/hub.ts';

/**
 * `npm run eval:tokens -- CORPUS [QUERIES]`: what a model is shown of real tools in each mode, in
 * tokens (o200k). CORPUS is a JSON list of `{ id, server, serverDesc, name, title, description,
 * inputSchema }`. With QUERIES, a list of `{ id, query, gold: [[id…]…] }`, it also tells what a task
 * costs all in by search: the three definitions, the search with the sentences of the task as its
 * queries, and the schemas of the tools that the task needs, as `describe_tool` answers them. What
 * the model writes itself is not counted, nor are results.
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
  flat: await openSurface('all', parts).list(),
  servers: await openSurface('servers', parts).list(),
  search: await openSurface('search', parts).list(),
  code: await openSurface('code', parts).list(),
};

const flat = tokensOf(definitions.flat);
console.log(`${corpusFile}: ${tools.length} tools of ${servers.length} servers`);
console.table(
  Object.fromEntries(
    Object.entries(definitions).map(([mode, shown]) => [
      mode,
      { definitions: shown.length, tokens: tokensOf(shown), 'times less': round(flat / tokensOf(shown)) },
    ]),
  ),
);
const perServer = definitions.servers.slice(0, servers.length).map((definition) => tokensOf([definition]));
console.log(
  `servers: ${round(average(perServer))} tokens a server on average, at most ${Math.max(...perServer)}` +
    `; flat: ${round(flat / servers.length)} a server, ${round(flat / tools.length)} a tool`,
);
if (tasks.length > 0) await evaluateTasks();

async function evaluateTasks(): Promise<void> {
  const surface = openSurface('search', parts);
  const fixed = tokensOf(definitions.search);
  const byId = new Map(corpus.map(({ id, server, name }) => [id, `${server}/${name}`]));
  const rows: { search: number; each: number; schemas: number }[] = [];
  let [needed, reached] = [0, 0];
  for (const { query, gold } of tasks) {
    const queries = sentencesOf(query);
    const names = gold.flatMap(([first]) => byId.get(first ?? '') ?? []);
    const together = await surface.call('search_tools', { queries }, never);
    const text = textIn(together);
    needed += gold.length;
    reached += gold.filter((any) => any.some((id) => isNamed(text, byId.get(id) ?? ''))).length;
    let each = 0;
    for (const one of queries)
      each += answerTokens(await surface.call('search_tools', { queries: [one] }, never));
    const described =
      names.length === 0 ? 0 : answerTokens(await surface.call('describe_tool', { names }, never));
    rows.push({ search: answerTokens(together), each, schemas: described });
  }
  const [search, each, schemas] = (['search', 'each', 'schemas'] as const).map((column) =>
    average(rows.map((row) => row[column])),
  ) as [number, number, number]; // one for each column
  console.log(`\n${queriesFile}: ${tasks.length} tasks, tokens a task on average`);
  console.table({
    'one search for all queries': {
      fixed,
      search: round(search),
      schemas: round(schemas),
      'all in': round(fixed + search + schemas),
    },
    'one search for each query': {
      fixed,
      search: round(each),
      schemas: round(schemas),
      'all in': round(fixed + each + schemas),
    },
  });
  console.log(
    `${round((100 * reached) / needed)} % of the tools that tasks need are named by the one search`,
  );
  console.log(`all in by search: ${round(flat / (fixed + search + schemas))} times less than flat`);
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
  }));
  const hub = {
    servers: { list: () => Promise.resolve({ servers: views as unknown as readonly ServerView[] }) }, // see above
  } as unknown as SurfaceParts['hub'];
  const tools = (): Promise<ToolList> => Promise.resolve(all);
  const search = indexedSearch({ hub, tools });
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

function answerTokens(answer: JsonObject): number {
  return count(textIn(answer));
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
