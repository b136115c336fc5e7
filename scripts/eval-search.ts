import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../src/base/json.ts';
import { riskOf } from '../src/catalog/risk.ts';
import type { ToolDocument } from '../src/catalog/search/document.ts';
import { searchMany } from '../src/catalog/search/search-many.ts';
import { siblings } from '../src/catalog/search/siblings.ts';
import { ToolIndex } from '../src/catalog/search/tool-index.ts';

/**
 * `npm run eval:search -- CORPUS QUERIES [--json]`: how often a search finds the tools that were
 * meant. CORPUS is a JSON list of tools `{ id, server, serverDesc, name, title, description,
 * inputSchema }`, QUERIES one of `{ id, query, gold: [[alternatives], …] }`.
 *
 * hit: at least one of the wanted tools is there; recall: the share of them that is; MRR: of the
 * first wanted one. “Siblings” also counts the names of the other tools that a search prints. Weights are
 * chosen by the queries in even places alone; those in odd places are held out, and both are printed.
 */
interface Question {
  readonly query: string;
  readonly gold: readonly (readonly string[])[];
}

interface Row {
  readonly at: number;
  readonly hit: number;
  readonly recall: number;
  readonly hitWithSiblings: number;
  readonly recallWithSiblings: number;
}

const PLACES = [1, 3, 5, 10] as const;
const DEEPEST = 100;

const words = process.argv.slice(2);
const [corpusFile, queriesFile] = words.filter((word) => !word.startsWith('--'));
if (corpusFile === undefined || queriesFile === undefined)
  stop('Which files? npm run eval:search -- CORPUS QUERIES [--json]');
const documents = readList(corpusFile).map((entry, place) => documentOf(entry, corpusFile, place));
const questions = readList(queriesFile).map((entry, place) => questionOf(entry, queriesFile, place));
const strangers = unknownIds();
if (strangers.length > 0)
  stop(
    `${queriesFile} asks for ${strangers.length} tools that ${corpusFile} does not have, as ${strangers[0]}.`,
  );

const { index, buildMs } = build();
for (const { query } of questions.slice(0, 50)) index.search(query, { limit: DEEPEST }); // warms up
const times: number[] = [];
const ranks = questions.map(({ query, gold }) => {
  const started = performance.now();
  const hits = index.search(query, { limit: DEEPEST });
  times.push(performance.now() - started);
  return hits.findIndex(({ document }) => gold.some((accepted) => accepted.includes(document.id)));
});
const mrr = mean(ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1))));
const rows = PLACES.map((at) => rowAt(at, questions));
const halves = [0, 1].map((half) => {
  const some = questions.filter((_, place) => place % 2 === half);
  return some.length === 0 ? undefined : [rowAt(1, some), rowAt(5, some), rowAt(10, some)];
});
const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];

if (words.includes('--json'))
  console.log(
    JSON.stringify(
      { tools: documents.length, queries: questions.length, rows, mrr, buildMs, p50, p95 },
      undefined,
      2,
    ),
  );
else {
  console.log(`${documents.length} tools, ${questions.length} queries`);
  console.log(`  at       hit   recall   with siblings: hit   recall`);
  for (const { at, ...row } of rows) {
    const [hit, recall, hits, recalls] = [
      row.hit,
      row.recall,
      row.hitWithSiblings,
      row.recallWithSiblings,
    ].map(percent);
    console.log(`  ${String(at).padStart(2)}  ${hit}  ${recall}             ${hits}  ${recalls}`);
  }
  for (const [half, name] of [
    [halves[0], 'even places'],
    [halves[1], 'odd places, held out'],
  ] as const) {
    const [first, fifth, tenth] = half ?? [];
    if (!first || !fifth || !tenth) continue;
    console.log(
      `  ${name}: hit@1 ${percent(first.hit)}, hit@5 ${percent(fifth.hit)}, recall@10 ${percent(tenth.recall)}`,
    );
  }
  console.log(`  MRR ${mrr.toFixed(3)}`);
  console.log(`  index ${buildMs.toFixed(0)} ms, search p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`);
}

function rowAt(at: number, some: readonly Question[]): Row {
  const found = some.map(({ query, gold }) => {
    const options = { queries: [query], limit: at };
    const hits = searchMany(index, options);
    const shown = new Set(hits.map(({ document }) => document.id));
    const alone = shareOf(gold, shown);
    for (const { tools } of siblings(index, hits, options)) for (const { id } of tools) shown.add(id);
    return { alone, together: shareOf(gold, shown) };
  });
  return {
    at,
    hit: mean(found.map(({ alone }) => (alone > 0 ? 1 : 0))),
    recall: mean(found.map(({ alone }) => alone)),
    hitWithSiblings: mean(found.map(({ together }) => (together > 0 ? 1 : 0))),
    recallWithSiblings: mean(found.map(({ together }) => together)),
  };
}

function shareOf(gold: Question['gold'], shown: ReadonlySet<string>): number {
  return gold.filter((accepted) => accepted.some((id) => shown.has(id))).length / gold.length;
}

function build(): { readonly index: ToolIndex; readonly buildMs: number } {
  // A tool without a server stands alone.
  const servers = Map.groupBy(documents, ({ server, id }) => (server === '' ? id : server));
  const built = new ToolIndex();
  const started = performance.now();
  for (const [key, tools] of servers) built.replaceServer(key, tools);
  return { index: built, buildMs: performance.now() - started };
}

function readList(file: string): readonly unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    stop(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(list) || list.length === 0) stop(`${file} is not a JSON list with entries.`);
  return list;
}

function documentOf(entry: unknown, file: string, place: number): ToolDocument {
  if (!isObject(entry) || typeof entry['id'] !== 'string' || typeof entry['name'] !== 'string')
    stop(`${file}: entry ${place} is not a tool: it needs at least an “id” and a “name”.`);
  const text = (field: string): string => (typeof entry[field] === 'string' ? entry[field] : '');
  // It comes out of JSON.parse, so that an object is a JSON object.
  const schema = isObject(entry['inputSchema']) ? (entry['inputSchema'] as JsonObject) : undefined;
  const [name, server, description] = [entry['name'], text('server'), text('description')];
  return {
    id: entry['id'],
    server,
    name,
    title: text('title'),
    description,
    inputSchema: schema,
    serverDescription: text('serverDesc'),
    risk: riskOf({ name, description, inputSchema: schema ?? {} }, { server }).risk,
  };
}

function questionOf(entry: unknown, file: string, place: number): Question {
  const gold = isObject(entry) ? entry['gold'] : undefined;
  if (!isObject(entry) || typeof entry['query'] !== 'string' || !isGold(gold))
    stop(`${file}: entry ${place} is not a query: it needs “query” and “gold”, a list of lists of ids.`);
  return { query: entry['query'], gold };
}

function isGold(gold: unknown): gold is Question['gold'] {
  const isIds = (ids: unknown): boolean => Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  return Array.isArray(gold) && gold.length > 0 && gold.every(isIds);
}

function unknownIds(): readonly string[] {
  const known = new Set(documents.map(({ id }) => id));
  return questions.flatMap(({ gold }) => gold.flat()).filter((id) => !known.has(id));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(7);
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
