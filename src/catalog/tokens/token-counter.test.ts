import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { limits, type Limits } from '../../base/limits.ts';
import { silentLogger, type Logger } from '../../base/logger.ts';
import { TokenCounter } from './token-counter.ts';

const open = (change: Partial<Limits> = {}, logger: Logger = silentLogger): TokenCounter =>
  new TokenCounter({ clock: systemClock, logger, limits: { ...limits, ...change } });

verifies(
  ['T6'],
  'tokens are counted by a real tokenizer, with the numbers that OpenAI published for it',
  async () => {
    const counter = open();
    // “How to count tokens with tiktoken” (OpenAI Cookbook), o200k_base; the last is from “Hello GPT-4o”.
    const published = new Map([
      ['antidisestablishmentarianism', 6],
      ['2 + 2 = 4', 7],
      ['お誕生日おめでとう', 8],
      ["Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!", 24],
    ]);
    expect(await counter.count([...published.keys()])).toEqual([...published.values()]);
    await counter.close();
  },
);

verifies(['T6'], 'a tool costs what its whole definition costs', async () => {
  const counter = open();
  const tool = {
    name: 'github__create_issue',
    description: 'Creates an issue in a repository. 建立一个问题。',
    input_schema: { type: 'object', properties: { title: { type: 'string', description: 'Its title' } } },
  };
  const bare = { name: 'echo' };
  expect(await counter.tryCount([tool, bare].map((each) => JSON.stringify(each)))).toEqual([
    countTokens(JSON.stringify(tool)),
    countTokens(JSON.stringify(bare)),
  ]);
  await counter.close();
});

test('whatever the text, the count is that of the reference tokenizer', async () => {
  const counter = open();
  const texts = fc.sample(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.lorem({ maxCount: 20 }), fc.json()),
    500,
  );
  const plain = { disallowedSpecial: new Set<string>() };
  expect(await counter.count(texts)).toEqual(texts.map((text) => countTokens(text, plain)));
  await counter.close();
});

test('text that looks like a control token is counted as text', async () => {
  const counter = open();
  expect(await counter.count(['<|endoftext|>', ''])).toEqual([7, 0]);
  await counter.close();
});

verifies(['T6'], 'the vocabulary is gone when there is nothing to count, and comes back', async () => {
  const counter = open({ tokenThreadIdleMs: 50 });
  expect(counter.isLoaded).toBe(false);
  await counter.count(['a']);
  await expect.poll(() => counter.isLoaded).toBe(false);
  expect(await counter.count(['hello world'])).toEqual([2]);
  await counter.close();
  expect(counter.isLoaded).toBe(false);
});

test('endless words do not take endless time, and ordinary texts are counted to the token', async () => {
  const counter = open();
  const hostile = [
    'a'.repeat(64_000),
    '中'.repeat(20_000),
    ' '.repeat(60_000),
    '😀'.repeat(10_000),
    '='.repeat(60_000),
  ];
  const counts = await counter.count(hostile);
  expect(counts[0]).toBe(8_000);
  expect(Math.abs((counts[1] ?? 0) - 20_000)).toBeLessThan(200);
  const ordinary = 'The quick brown fox, 12345678901234567890 times: {"path":"/a/b/c"}\n'.repeat(200);
  expect(await counter.count([ordinary])).toEqual([countTokens(ordinary)]);
  await counter.close();
});

verifies(
  ['T6'],
  'where counting fails the number is absent, the log says why, and the next count works',
  async () => {
    const warnings: string[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (message, fields) => warnings.push(`${message}: ${String(fields?.['error'])}`),
    };
    const counter = open({ tokenBatchTimeoutMs: 1 }, logger);
    expect(await counter.tryCount(['{"name":"a"}', '{"name":"b"}'])).toEqual([undefined, undefined]);
    expect(warnings).toEqual([
      'tokens were not counted: The tokens were not counted: it took longer than 0.001 s.',
    ]);
    await counter.close();
    await expect(counter.count(['a'])).rejects.toMatchObject({ code: 'unavailable' });

    // What is no text ends the thread; the next count gets another one.
    const next = open({}, logger);
    expect(await next.tryCount([{ length: 1 } as unknown as string])).toEqual([undefined]);
    expect(warnings[1]).toMatch(/slice is not a function/);
    expect(await next.count(['hello world'])).toEqual([2]);
    await next.close();
  },
);

test('many texts are counted in batches, in their order', async () => {
  const counter = open({ tokenBatchCharsMax: 10 });
  expect(await counter.count(['hello world', '', 'a', 'hello world', 'b', 'c'])).toEqual([2, 0, 1, 2, 1, 1]);
  expect(await counter.count([])).toEqual([]);
  await counter.close();
});

test('whoever does not want to wait any more is let go, and the others get their numbers', async () => {
  const counter = open();
  const abort = new AbortController();
  const given = counter.count(['word '.repeat(50_000)], { signal: abort.signal });
  const kept = counter.count(['hello world']);
  abort.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  expect(await kept).toEqual([2]);
  await counter.close();
});
