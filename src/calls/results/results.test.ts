import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { limits, type Limits } from '../../base/limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { verifies } from '../../../test/requirements.ts';
import type { ResultStore, StoredResult } from '../stored-result.ts';
import { readStored, type ReadRequest } from './read.ts';
import { Results, type KeptResult } from './results.ts';

/** The port in memory, with the promises that it makes. */
function memoryStore(): ResultStore {
  const kept = new Map<string, { readonly result: StoredResult; readonly pieces: readonly string[] }>();
  const of = (owner: string) => [...kept].filter(([key]) => key.startsWith(`${owner} `));
  return {
    putResult: async (owner, result, pieces) => void kept.set(`${owner} ${result.id}`, { result, pieces }),
    getResult: async (owner, id) => kept.get(`${owner} ${id}`)?.result,
    getPiece: async (owner, id, index) => kept.get(`${owner} ${id}`)?.pieces[index],
    listResults: async (owner) =>
      of(owner)
        .map(([, { result }]) => result)
        .toReversed(),
    deleteResult: async (owner, id) => kept.delete(`${owner} ${id}`),
    pruneResults: async (owner, { now, bytesMax }) => {
      let gone = 0;
      let bytes = of(owner).reduce((sum, [, { result }]) => sum + result.bytes, 0);
      for (const [key, { result }] of of(owner)) {
        if (result.expiresAt > now && bytes <= bytesMax) continue;
        kept.delete(key);
        bytes -= result.bytes;
        gone += 1;
      }
      return gone;
    },
  };
}

function open(
  options: { store?: ResultStore; owner?: string; clock?: Clock; limits?: Limits } = {},
): Results {
  return new Results({
    store: memoryStore(),
    owner: 'local',
    clock: systemClock,
    ids: systemIds,
    limits,
    logger: silentLogger,
    ...options,
  });
}

const keep = async (results: Results, result: JsonObject, whole = false): Promise<KeptResult> =>
  results.keep({ callId: 'call_1', server: 'files', tool: 'read', result, whole });

const bigText = (lines: number): JsonObject => ({
  content: [
    { type: 'text', text: Array.from({ length: lines }, (_, n) => `line ${n} wörter 😀`).join('\n') },
  ],
});

verifies(['L2'], 'an ordinary result comes back as the very same value, whatever is in it', async () => {
  const result = {
    content: [
      { type: 'text', text: 'hi' },
      { type: 'hologram', data: { a: 1 } },
    ],
    structuredContent: { a: [1, { b: null }] },
    isError: true,
    _meta: { progress: 1 },
    'x-unknown': 1,
  };
  expect((await keep(open(), result)).result).toBe(result);
  const large = bigText(20_000);
  const whole = await keep(open(), large, true);
  expect(whole).toEqual({ result: large });
  expect(whole.result).toBe(large);
});

test('bytes count, not characters: other alphabets do not get three times the room', async () => {
  const text = '字'.repeat(limits.resultPreviewBytes / 3 - 10);
  expect((await keep(open(), { content: [{ type: 'text', text }] })).handle).toBeUndefined();
  const more = { content: [{ type: 'text', text: `${text}${'字'.repeat(20)}` }] };
  expect((await keep(open(), more)).handle?.bytes).toBeGreaterThan(limits.resultPreviewBytes);
});

verifies(
  ['L3'],
  'a large result is stored whole, and its pages, its search and its paths find everything in it',
  async () => {
    const results = open({ limits: { ...limits, resultPieceChars: 10_000 } });
    const text = bigText(20_000);
    const items = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `item ${id}` }));
    const { handle, result } = await keep(results, { ...text, structuredContent: { items } });
    expect(JSON.stringify(result).length).toBeLessThan(limits.resultPreviewBytes);
    const id = handle?.id ?? '';
    const last = handle?.pages ?? 0;
    const first = await results.page(id, 1);
    expect(first).toMatchObject({ pages: last, bytes: handle?.bytes });
    expect(first.text.startsWith('line 0 wörter 😀\nline 1 ')).toBe(true);
    expect((await results.page(id, last)).text).toMatch(/"name": "item 2999"\n {4}\}\n {2}\]\n\}$/);
    const found = await results.grep(id, 'line 1999[89]\\b');
    expect(found.matches.map(({ line, text: shown }) => [line, shown])).toEqual([
      [19_999, 'line 19998 wörter 😀'],
      [20_000, 'line 19999 wörter 😀'],
    ]);
    expect((await results.page(id, found.matches[0]?.page ?? 0)).text).toContain('line 19998 wörter');
    expect(await results.path(id, '$.structuredContent.items[?@.id == 2999].name')).toEqual({
      found: [{ path: '$.structuredContent.items[2999].name', value: 'item 2999' }],
      truncated: false,
    });
  },
  90_000,
);

verifies(
  ['L3', 'attack:E17'],
  'a 20 MB result is answered as a preview with a handle while others go on working, and a word in it is found',
  async () => {
    const results = open();
    const result = {
      content: [
        { type: 'text', text: `${`${'some words of a log '.repeat(5)}\n`.repeat(200_000)}needle here` },
      ],
    };
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    const { handle, result: shown } = await keep(results, result);
    const whileKept = ticks;
    const found = await results.grep(handle?.id ?? '', 'ne+dle');
    clearInterval(ticking);
    expect(handle?.bytes).toBeGreaterThan(20_000_000);
    expect(JSON.stringify(shown).length).toBeLessThan(limits.resultPreviewBytes);
    expect(whileKept).toBeGreaterThan(10);
    expect(found.matches).toEqual([{ line: 200_001, page: handle?.pages, text: 'needle here' }]);
  },
  90_000,
);

test('what is found is bounded: matches, long lines, values', async () => {
  const results = open();
  const { handle } = await keep(results, {
    content: [
      { type: 'text', text: `${'a'.repeat(300_000)}needle${'b'.repeat(300_000)}\n${'hit\n'.repeat(5_000)}` },
    ],
  });
  const id = handle?.id ?? '';
  const hits = await results.grep(id, 'hit');
  expect(hits.matches).toHaveLength(limits.resultMatchesMax);
  expect(hits.truncated).toBe(true);
  const [long] = (await results.grep(id, 'needle')).matches;
  expect(long?.text).toMatch(/^…a+needleb+…$/);
  expect(long?.text.length).toBeLessThan(limits.resultMatchCharsMax + 10);
  const values = await results.path(id, '$.content[0].text');
  expect(values.truncated).toBe(true);
  expect(String(values.found[0]?.value).length).toBeLessThan(limits.resultPathCharsMax);
});

test('a pattern, a path or a page that makes no sense is your mistake, and no pattern is slow', async () => {
  const list = Array.from({ length: 3_000 }, (_, id) => ({ id, text: `item ${id} ${'a'.repeat(30)}` }));
  const json = JSON.stringify({ content: [], structuredContent: { list } });
  const read = (request: ReadRequest) => readStored(json, request, limits);
  const mistake = { code: 'usage', owner: 'you' };
  await expect(read({ kind: 'grep', pattern: '(' })).rejects.toMatchObject(mistake);
  await expect(read({ kind: 'grep', pattern: '' })).rejects.toMatchObject(mistake);
  await expect(read({ kind: 'path', path: '$[' })).rejects.toMatchObject(mistake);
  for (const page of [0, 1.5, 999]) {
    await expect(read({ kind: 'page', page })).rejects.toMatchObject(mistake);
  }
  expect(await read({ kind: 'grep', pattern: '(a+)+$' })).toMatchObject({ matches: [] });
  expect(await read({ kind: 'path', path: "$..list[?search(@.text, '(a+)+b$')]" })).toMatchObject({
    json: '{"found":[],"truncated":false}',
  });
  const matched = await read({ kind: 'path', path: "$..list[?match(@.text, 'item 1. a+')].id" });
  expect(JSON.parse('json' in matched ? matched.json : '')).toMatchObject({
    found: Array.from({ length: 10 }, (_, n) => ({ value: 10 + n })),
  });
});

test('a path that would take for ever is ended, and the next reader is served', async () => {
  const store = memoryStore();
  const list = Array.from({ length: 3_000 }, (_, id) => ({
    id,
    text: `some more text ${id} ${'a'.repeat(30)}`,
  }));
  const { handle } = await keep(open({ store }), { content: [], structuredContent: { list } });
  const id = handle?.id ?? '';
  const hasty = open({ store, limits: { ...limits, resultReadMs: 1_000 } });
  await expect(hasty.path(id, '$..[?count($..*) < count($..*)]')).rejects.toMatchObject({
    code: 'too_large',
  });
  expect((await open({ store }).page(id, 1)).text).toContain('Structured content');
});

test('a handle is good for its owner only, until it expires or is removed, and then it says why', async () => {
  const store = memoryStore();
  let now = 1_000;
  const clock = { ...systemClock, now: () => now };
  const mine = open({ store, clock, owner: 'me' });
  const { handle } = await keep(mine, bigText(20_000));
  const id = handle?.id ?? '';
  expect((await mine.list()).map((each) => each.id)).toEqual([id]);
  const gone = { code: 'not_found', message: expect.stringContaining('kept for 7 days') };
  await expect(open({ store, clock, owner: 'you' }).page(id, 1)).rejects.toMatchObject(gone);
  now += limits.resultKeepMs;
  await expect(mine.page(id, 1)).rejects.toMatchObject(gone);
  expect(await mine.list()).toEqual([]);
  expect(await mine.prune()).toBe(1);
  const again = await keep(mine, bigText(20_000));
  await mine.remove(again.handle?.id ?? '');
  await expect(mine.remove(again.handle?.id ?? '')).rejects.toMatchObject(gone);
});

test('when there is no room the oldest results go first', async () => {
  const results = open({ limits: { ...limits, resultsBytesMax: 1_000_000 } });
  const handles = [];
  for (let round = 0; round < 4; round += 1) handles.push((await keep(results, bigText(20_000))).handle?.id);
  expect((await results.list()).map(({ id }) => id)).toEqual([handles[3], handles[2]]);
});

test('a result that cannot be stored fails instead of being answered without its rest', async () => {
  const store = { ...memoryStore(), putResult: () => Promise.reject(new Error('disk full')) };
  await expect(keep(open({ store }), bigText(20_000))).rejects.toThrow('disk full');
});
