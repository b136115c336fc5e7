import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ToolDocument } from '../src/catalog/search/document.ts';
import type { ToolIndex } from '../src/catalog/search/tool-index.ts';
import type { Tool } from '../src/catalog/tool.ts';
import { report, type Figure } from './figure.ts';
import { median } from './measure.ts';
import { product } from './product.ts';

/**
 * What a search costs, and what it costs to be ready for it, at ten and at a hundred thousand tools; and what the
 * hub feels of it when the first search comes before anything was read.
 */
const SIZES = [10_000, 100_000] as const;
const TOOLS_PER_SERVER = 25;
const VOCABULARY = 30_000;
const FLATNESS = 20;
const QUERIES = 400;
const REPLACEMENTS = 40;
const P95_MS = { 10_000: 5, 100_000: 20 } as const;
const BUILD_MS = { 10_000: 500, 100_000: 5_000 } as const;
const FIRST_MS = 500;
const STANDSTILL_MS = 50;

const { CatalogSearch } = await product<typeof import('../src/catalog/search.ts')>('catalog/search');
const { ThreadWeigher } = await product<typeof import('../src/catalog/search/weigh-in-thread.ts')>(
  'catalog/search/weigh-in-thread',
);
const { searchLimits } =
  await product<typeof import('../src/catalog/search/limits.ts')>('catalog/search/limits');
const { ToolIndex: Index } =
  await product<typeof import('../src/catalog/search/tool-index.ts')>('catalog/search/tool-index');

setFlagsFromString('--expose-gc');
// With the flag set, a new context has the collector.
const collect = runInNewContext('gc') as () => void;
/** Who searches may see nine tenths of the servers, as a set of names tells: that is asked as the gateway asks it. */
const seen = new Set<string>();
const allowed = ({ id }: ToolDocument): boolean => seen.has(id);
let seed = 20_261_116;
const words = Array.from({ length: VOCABULARY }, wordOf);
report([...SIZES.flatMap(measure), ...(await firstSearch(100_000))]);

function measure(tools: (typeof SIZES)[number]): readonly Figure[] {
  const servers = Array.from({ length: tools / TOOLS_PER_SERVER }, (_, at) => serverOf(`server-${at}`));
  for (const [at, documents] of servers.entries())
    if (at % 10 > 0) for (const { id } of documents) seen.add(id);
  const before = memoryMb();
  const index = new Index();
  const buildMs = timeOf(() => {
    for (const [at, documents] of servers.entries()) index.replaceServer(`server-${at}`, documents);
  });
  search(index, 300); // makes room for the scores, which belongs to the index
  const memory = memoryMb() - before;
  if (index.size !== tools) throw new Error(`The index has ${index.size} tools.`);
  const times = search(index, QUERIES).toSorted((a, b) => a - b);
  const replaced = Array.from({ length: REPLACEMENTS }, () => {
    const name = `server-${next(servers.length)}`;
    const documents = serverOf(name);
    return timeOf(() => index.replaceServer(name, documents));
  });
  const many = tools.toLocaleString('en');
  return [
    { name: `search ${many} tools with a permission filter, p50`, unit: 'ms', measured: median(times) },
    {
      name: `the same, p95`,
      unit: 'ms',
      measured: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
      target: { max: P95_MS[tools] },
    },
    {
      name: `replace one server of ${many} tools, median`,
      unit: 'ms',
      measured: median(replaced),
      target: { max: 20 },
    },
    { name: `index ${many} tools`, unit: 'ms', measured: buildMs, target: { max: BUILD_MS[tools] } },
    {
      name: `memory of the index of ${many} tools`,
      unit: 'MB',
      measured: memory,
      ...(tools === 100_000 && { target: { max: 120 } }),
    },
  ];
}

/** As the hub searches: the first answer, and how long nothing else could run until all was read. */
async function firstSearch(count: number): Promise<readonly Figure[]> {
  const tools = Array.from({ length: count / TOOLS_PER_SERVER }, (_, at) => serverOf(`server-${at}`))
    .flat()
    .map(toolOf);
  let standstill = 0;
  const { promise: whole, resolve } = Promise.withResolvers<void>();
  const catalog = new CatalogSearch({
    bySteps: (step) => {
      const next = async (): Promise<void> => {
        const began = performance.now();
        const more = step();
        standstill = Math.max(standstill, performance.now() - began);
        if (await more) setTimeout(() => void next(), 0);
        else resolve();
      };
      setTimeout(() => void next(), 0);
    },
    thread: {
      toolsMin: searchLimits.readInThreadMin,
      open: () => new ThreadWeigher(),
      failed: (error) => {
        throw error;
      },
    },
  });
  // What comes from the thread is put in between two steps: a timer feels that too.
  const ticks = setInterval(() => undefined, 1);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let unread = 0;
  const started = performance.now();
  const firstMs = timeOf(() => ({ unread } = catalog.find({ tools, queries: [textOf(4)], limit: 8 })));
  if (unread === 0) throw new Error('The first search read everything.');
  await whole;
  const wholeMs = performance.now() - started;
  delay.disable();
  clearInterval(ticks);
  const many = count.toLocaleString('en');
  return [
    { name: `first search of ${many} tools`, unit: 'ms', measured: firstMs, target: { max: FIRST_MS } },
    {
      name: 'longest step while the rest is read',
      unit: 'ms',
      measured: Math.max(standstill, delay.max / 1e6),
      target: { max: STANDSTILL_MS },
    },
    { name: 'until all of them are read', unit: 'ms', measured: wholeMs, target: { max: BUILD_MS[100_000] } },
  ];
}

function toolOf({ id, server, name, description, inputSchema }: ToolDocument): Tool {
  const definition = { name, description: description ?? '', inputSchema: inputSchema ?? {} };
  const judged = { risk: 'read', riskFrom: 'name', flags: [], pinned: true } as const;
  return { ref: id, server, name, description: description ?? '', definition, ...judged };
}

function search(index: ToolIndex, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => {
    // Every eighth query has a word that is spelled wrong.
    const query = `${textOf(3 + next(10))}${at % 8 === 0 ? ` ${words[next(VOCABULARY)]}zq` : ''}`;
    let found = 0;
    const ms = timeOf(() => (found = index.search(query, { limit: 10, allowed }).length));
    if (found === 0) throw new Error(`Nothing is found for “${query}”.`);
    return ms;
  });
}

function serverOf(server: string): readonly ToolDocument[] {
  const serverDescription = textOf(12);
  return Array.from({ length: TOOLS_PER_SERVER }, (_, at) => {
    const name = `${textOf(3).replaceAll(' ', '_')}_${at}`;
    const properties = Object.fromEntries(
      Array.from({ length: 5 }, (_, place) => [
        `${textOf(1)}_${place}`,
        { type: 'string', description: textOf(8) },
      ]),
    );
    const inputSchema = { type: 'object', properties };
    return {
      id: `${server}/${name}`,
      server,
      name,
      description: textOf(30),
      inputSchema,
      serverDescription,
      risk: 'read',
    };
  });
}

/** Words as descriptions have them without stop words (Zipf and Mandelbrot): the first are in every second tool. */
function textOf(count: number): string {
  const ranks = Array.from({ length: count }, () => FLATNESS * ((VOCABULARY / FLATNESS + 1) ** random() - 1));
  return ranks.map((rank) => words[Math.min(VOCABULARY - 1, Math.floor(rank))]).join(' ');
}

function wordOf(): string {
  const syllables = Array.from(
    { length: 2 + next(3) },
    () => 'bcdfgklmnprstv'[next(14)] + ('aeiou'[next(5)] ?? 'a'),
  );
  return `${syllables.join('')}${'lmnrt'[next(5)]}`;
}

function next(below: number): number {
  return Math.floor(random() * below);
}

/** The same numbers in every run. */
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** What is in use after everything that can go has gone. */
function memoryMb(): number {
  for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 ** 2;
}
