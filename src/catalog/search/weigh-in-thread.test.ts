import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { CatalogSearch } from '../search.ts';
import type { Tool } from '../tool.ts';
import { Analyzer } from './analyze.ts';
import { searchLimits } from './limits.ts';
import { ThreadWeigher } from './weigh-in-thread.ts';
import { type ServerTexts, type Weighed, Weigher } from './weigh.ts';

const word = fc.oneof(
  fc.constantFrom(
    'createIssue2',
    'GitHub',
    'list_pull-requests.v2',
    '搜索文件',
    'ＦＵＬＬ',
    'größer',
    'naïve',
  ),
  fc.constantFrom(
    'send',
    'mail',
    'of',
    'the',
    'calendar',
    'e\u0301',
    '2026',
    'x'.repeat(70),
    'parseHTTPHeader',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
const sample = <T>(what: fc.Arbitrary<T>, count: number): readonly T[] =>
  fc.sample(what, { numRuns: count, seed: 18 });

const texts: fc.Arbitrary<ServerTexts> = fc.record({
  shared: fc.record({ serverName: text, serverDescription: text }),
  tools: fc.array(
    fc.record({
      name: text,
      title: text,
      description: text,
      parameterNames: text,
      parameterTexts: text,
      learned: fc.option(fc.array(fc.constantFrom('send', 'mail', 'sheep')), { nil: undefined }),
    }),
    { maxLength: 6 },
  ),
});

const wordsOf = ({ terms, counts, numbers, says }: Weighed) => ({
  counts: [...counts],
  says: [...says],
  terms: Array.from(numbers, (number) => terms[number]),
});

function open(): ThreadWeigher {
  const thread = new ThreadWeigher();
  onTestFinished(() => thread.close());
  return thread;
}

test('a thread reads every text as it is read here, batch after batch', async () => {
  const thread = open();
  const here = new Weigher(new Analyzer());
  const batches = Array.from({ length: 20 }, (_, at) => sample(texts, 3 + at));
  const answers = await Promise.all(batches.map((batch) => thread.weigh(batch)));
  for (const [at, batch] of batches.entries()) {
    const weighed = answers[at];
    if (weighed) expect(wordsOf(weighed)).toEqual(wordsOf(here.weigh(batch)));
  }
});

test('a thread that gives its words new numbers is still understood', async () => {
  const thread = open();
  const here = new Weigher(new Analyzer());
  const told = sample(texts, 5);
  const { fieldWordsMax, analyzedWordsKept } = searchLimits;
  const tools = Array.from({ length: Math.ceil(analyzedWordsKept / fieldWordsMax) + 1 }, (_, tool) => ({
    ...EMPTY,
    description: Array.from({ length: fieldWordsMax }, (_word, at) => wordAt(tool * fieldWordsMax + at)).join(
      ' ',
    ),
  }));
  const { terms } = await thread.weigh(told);
  await thread.weigh([{ shared: { serverName: '', serverDescription: '' }, tools }]);
  const after = await thread.weigh(told);
  expect(after.terms).not.toBe(terms);
  expect(wordsOf(after)).toEqual(wordsOf(here.weigh(told)));
});

const EMPTY = { name: '', title: '', parameterNames: '', parameterTexts: '', learned: undefined };

/** Of letters alone, as digits would be a word of their own. */
function wordAt(number: number): string {
  return `q${number.toString(10).replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}`;
}

function toolsOf(servers: number): readonly Tool[] {
  return Array.from({ length: servers }, (_, at) =>
    sample(fc.tuple(text, text, word), 8).map(([title, description, name], place): Tool => {
      const definition = { name: `${name}_${at}_${place}`, description };
      const judged = { risk: 'read', riskFrom: 'name', flags: [], pinned: true } as const;
      return {
        ref: `s${at}/${definition.name}`,
        server: `s${at}`,
        title,
        ...definition,
        definition,
        ...judged,
      };
    }),
  ).flat();
}

const QUERIES = [
  'send mail',
  'create an issue',
  'github pull requests',
  'calender',
  '搜索',
  'größer 2026',
  'parse',
];

/** All that are found, in their order; each step is waited for. */
async function ranked(search: CatalogSearch, tools: readonly Tool[]) {
  await search.read({ tools });
  return QUERIES.map((query) => search.search({ tools }, query).tools.map(({ ref }) => ref));
}

const failed = (error: unknown): never => {
  throw error;
};

type Step = () => boolean | Promise<boolean>;
const run = async (step: Step): Promise<void> => {
  while (await step());
};

verifies(['T7'], 'a catalog that a thread has read ranks exactly as one that was read here', async () => {
  const tools = toolsOf(400);
  const here = await ranked(new CatalogSearch(), tools);
  const running: Promise<void>[] = [];
  let threads = 0;
  const search = new CatalogSearch({
    bySteps: (step) => running.push(run(step)),
    thread: { toolsMin: 500, open: () => ((threads += 1), new ThreadWeigher()), failed },
  });
  expect(await ranked(search, tools)).toEqual(here);
  await Promise.all(running);
  expect([search.size, threads]).toEqual([tools.length, 1]);
});

verifies(['T7'], 'what changed while a thread read it is found as it is now', async () => {
  const tools = toolsOf(400);
  let step: Step = () => false;
  const search = new CatalogSearch({
    bySteps: (given) => (step = given),
    thread: { toolsMin: 500, open: () => new ThreadWeigher(), failed },
  });
  const find = (list: readonly Tool[], query: string) =>
    search.find({ tools: list, queries: [query], limit: 5 });
  expect(find(tools, 'mail')).toMatchObject({ hits: { length: 5 }, unread: 1_200 });
  // The thread has the last servers' texts now, and one of these changes.
  for (let round = 0; round < searchLimits.threadBatchesAhead - 1; round += 1) await step();
  const last = tools.at(-1);
  const changed = tools.map((tool) =>
    tool === last
      ? {
          ...tool,
          definition: { name: tool.name, description: 'Counts zebras.' },
          description: 'Counts zebras.',
        }
      : tool,
  );
  // A search of another list reads some at once, here the rest: what the thread answers is older.
  expect(find(changed, 'zebras')).toMatchObject({ hits: [{ ref: last?.ref }], unread: 0 });
  await run(step);
  expect(find(changed, 'zebras')).toMatchObject({ hits: [{ ref: last?.ref }], unread: 0 });
  expect(await ranked(search, changed)).toEqual(await ranked(new CatalogSearch(), changed));
});

test('where the thread fails, the rest is read here', async () => {
  const tools = toolsOf(400);
  const running: Promise<void>[] = [];
  let closed = 0;
  const errors: unknown[] = [];
  const failing = {
    weigh: () => Promise.reject(new Error('out of memory')),
    close: () => Promise.resolve(void (closed += 1)),
  };
  const search = new CatalogSearch({
    bySteps: (step) => running.push(run(step)),
    thread: { toolsMin: 500, open: () => failing, failed: (error) => errors.push(error) },
  });
  expect(await ranked(search, tools)).toEqual(await ranked(new CatalogSearch(), tools));
  await Promise.all(running);
  expect(closed).toBe(1);
  expect(errors).toMatchObject([{ message: 'out of memory' }]);
});

test('a search that is closed ends its thread, and what waits for it hears so', async () => {
  const thread = new ThreadWeigher();
  const asked = expect(thread.weigh(sample(texts, 2))).rejects.toMatchObject({ code: 'unavailable' });
  await thread.close();
  await asked;
  await expect(thread.weigh([])).rejects.toMatchObject({ code: 'unavailable' });
});

test('a search that is closed while a thread reads starts no other, and lets its reader go', async () => {
  const running: Promise<void>[] = [];
  let threads = 0;
  const search = new CatalogSearch({
    bySteps: (step) => running.push(run(step)),
    thread: { toolsMin: 500, open: () => ((threads += 1), new ThreadWeigher()), failed },
  });
  const reading = search.read({ tools: toolsOf(400) });
  await search.close();
  await Promise.all([reading, ...running]);
  expect(threads).toBe(1);
});
