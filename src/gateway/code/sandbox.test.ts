import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nameTools } from '../../catalog/typescript/identifiers.ts';
import { verifies } from '../../../test/requirements.ts';
import { codeLimits, type CodeLimits } from './limits.ts';
import { runScript, type ScriptRun } from './sandbox.ts';
import type { ScriptOutcome } from './thread-messages.ts';

const names = nameTools(
  [
    ['shop', 'list'],
    ['shop', 'fail'],
    ['my-notes', 'add-note'],
  ].map(([server = '', name = '']) => ({ ref: `${server}/${name}`, server, name })),
);

interface Made {
  readonly ref: string;
  readonly args: JsonObject;
}

function run(
  code: string,
  options: Partial<Omit<ScriptRun, 'limits'>> & { readonly limits?: Partial<CodeLimits> } = {},
): Promise<ScriptOutcome> {
  return runScript({
    tools: names,
    clock: systemClock,
    call: () => Promise.resolve({ content: [{ type: 'text', text: 'ok' }] }),
    lookups: { search: () => Promise.resolve([]), describe: () => Promise.resolve('') },
    ...options,
    code,
    limits: { ...codeLimits, ...options.limits },
  });
}

function recording(result: (made: Made) => JsonObject): {
  readonly made: Made[];
  readonly call: ScriptRun['call'];
} {
  const made: Made[] = [];
  return {
    made,
    call: (ref, args) => {
      made.push({ ref, args });
      return Promise.resolve(result({ ref, args }));
    },
  };
}

verifies(['G3'], 'a script calls tools as typed functions, and only what it returns comes back', async () => {
  const { made, call } = recording(({ args }) => ({
    structuredContent: {
      items: [1, 2, 3].map((id) => ({ id, page: args['page'], text: 'x'.repeat(10_000) })),
    },
    content: [{ type: 'text', text: 'the same in words' }],
  }));
  const outcome = await run(
    `interface Item { id: number; page: number }
     const pages = await Promise.all([1, 2].map((page: number) => servers.shop.list({ page })));
     console.log('pages', pages.length);
     return pages.flatMap((page) => page.items as Item[]).map(({ id, page }) => id * 10 + page);`,
    { call },
  );
  expect(outcome).toEqual({ kind: 'returned', value: [11, 21, 31, 12, 22, 32], logs: ['pages 2'], calls: 2 });
  expect(made).toEqual([
    { ref: 'shop/list', args: { page: 1 } },
    { ref: 'shop/list', args: { page: 2 } },
  ]);
});

test('a tool is found by its identifier and by the name that it really has', async () => {
  const { made, call } = recording(() => ({ content: [{ type: 'text', text: '{"id":7}' }] }));
  const outcome = await run(
    `const one = await servers.my_notes.add_note({ text: 'a' });
     const two = await servers['my-notes']['add-note']({ text: 'b' });
     return [one.id, two.id, Object.keys(servers), Object.keys(servers.my_notes), 'list' in servers.shop];`,
    { call },
  );
  expect(outcome).toMatchObject({ value: [7, 7, ['shop', 'my_notes'], ['add_note'], true] });
  expect(made.map(({ ref }) => ref)).toEqual(['my-notes/add-note', 'my-notes/add-note']);
});

test('text stays text unless it is a JSON object or list, and a failed result is thrown', async () => {
  const texts = ['1.10', '[1]', '{"a":1}', '{no json', 'plain'];
  const results = texts.map((text) => ({ content: [{ type: 'text', text }] }));
  const outcome = await run(
    `const all = [];
     for (let index = 0; index < 5; index += 1) all.push(await servers.shop.list({ index }));
     try { await servers.shop.fail() } catch (error) { all.push(error instanceof Error, error.message) }
     return all;`,
    {
      call: (ref, { index }) =>
        Promise.resolve(
          ref === 'shop/fail'
            ? { isError: true, content: [{ type: 'text', text: 'no such shop' }] }
            : (results[Number(index)] ?? {}),
        ),
    },
  );
  expect(outcome).toMatchObject({
    value: ['1.10', [1], { a: 1 }, '{no json', 'plain', true, 'no such shop'],
  });
});

test('a refused call throws inside the script, with the sentence, the next step and the code', async () => {
  const call = (): Promise<JsonObject> =>
    Promise.reject(
      new PlugError('denied', 'A rule forbids it.', {
        owner: 'you',
        remedy: { do: 'say', text: 'Ask for it.' },
      }),
    );
  const caught = await run(
    `try { await servers.shop.list() } catch ({ message, code }) { return [message, code] }`,
    { call },
  );
  expect(caught).toMatchObject({ value: ['A rule forbids it. Next: Ask for it.', 'denied'], calls: 1 });
  const uncaught = await run(`const a = 1;\n\n  await servers.shop.list();`, { call });
  expect(uncaught).toMatchObject({
    kind: 'threw',
    line: 3,
    message: 'A rule forbids it. Next: Ask for it.',
  });
});

test('a tool that is not there is named, with what was probably meant, and nothing is called', async () => {
  const { made, call } = recording(() => ({}));
  const outcome = await run(`await servers.shop.lisst({})`, { call });
  expect(outcome).toMatchObject({ kind: 'threw', line: 1, calls: 0 });
  expect(outcome).toHaveProperty('message', expect.stringContaining('Did you mean list?'));
  expect(await run(`await servers.shoop.list({})`, { call })).toHaveProperty(
    'message',
    expect.stringContaining('There is no server “shoop”'),
  );
  expect(made).toEqual([]);
});

test.each([
  ['const a: number = ;', 1, 19],
  ['const a = 1;\nreturn a +* 2;', 2, undefined],
  ['const a = 1;\nimport fs from "node:fs";', 2, 1],
  ['let a = 1;\nlet a = 2;', 2, undefined],
])('a mistake in the script is told with its line and column: %s', async (code, line, column) => {
  const outcome = await run(code);
  expect(outcome).toMatchObject({ kind: 'syntax', line, ...(column === undefined ? {} : { column }) });
});

test('TypeScript that cannot be erased is refused by name', async () => {
  expect(await run('enum Color { Red }\nreturn Color.Red;')).toMatchObject({
    kind: 'syntax',
    line: 1,
    message: expect.stringContaining('no enum'),
  });
});

test('an error in the script is told with its own line', async () => {
  expect(await run('const a: any = null;\nfunction f() {\n  return a.b;\n}\nreturn f();')).toMatchObject({
    kind: 'threw',
    line: 3,
    message: expect.stringContaining('TypeError'),
  });
});

test('so many calls run at once, and the others wait for their turn', async () => {
  let running = 0;
  let most = 0;
  const outcome = await run(
    `const all = Array.from({ length: 20 }, (_, n) => servers.shop.list({ n }));
     return (await Promise.all(all)).length`,
    {
      limits: { callsAtOnceMax: 3 },
      call: async () => {
        running += 1;
        most = Math.max(most, running);
        await systemClock.sleep(5);
        running -= 1;
        return { content: [] };
      },
    },
  );
  expect(outcome).toMatchObject({ value: 20, calls: 20 });
  expect(most).toBe(3);
});

test('cancelling ends the script in the middle of a call, which is aborted, and calls that wait are not made', async () => {
  const cancel = new AbortController();
  const aborted: string[] = [];
  let made = 0;
  const outcome = await run(`await Promise.all([1, 2, 3].map(() => servers.shop.list()))`, {
    signal: cancel.signal,
    limits: { callsAtOnceMax: 2 },
    call: (ref, _args, signal) =>
      new Promise((_, reject) => {
        made += 1;
        signal.addEventListener('abort', () => {
          aborted.push(ref);
          reject(signal.reason);
        });
        if (made === 2) cancel.abort();
      }),
  });
  expect(outcome).toMatchObject({ kind: 'cancelled', calls: 2 });
  expect(aborted).toEqual(['shop/list', 'shop/list']);
  expect(made).toBe(2);
});

test('a script that was cancelled before it began calls nothing', async () => {
  const { made, call } = recording(() => ({}));
  expect(await run(`await servers.shop.list()`, { call, signal: AbortSignal.abort() })).toMatchObject({
    kind: 'cancelled',
  });
  expect(made).toEqual([]);
});

test('what the script leaves behind when it returns is aborted, and calls after the return are not made', async () => {
  let wasAborted = false;
  let made = 0;
  const outcome = await run(
    `servers.shop.list();
     Promise.resolve().then(async () => { for (let i = 0; i < 50; i += 1) await 0; servers.shop.list(); });
     await 0;
     return 'done'`,
    {
      call: (_ref, _args, signal) =>
        new Promise((_, reject) => {
          made += 1;
          signal.addEventListener('abort', () => {
            wasAborted = true;
            reject(signal.reason);
          });
        }),
    },
  );
  expect(outcome).toMatchObject({ kind: 'returned', value: 'done', calls: 1 });
  expect([made, wasAborted]).toEqual([1, true]);
});

test('the console and the value are capped', async () => {
  const limits = { logLinesMax: 3, logCharsMax: 100, valueCharsMax: 50 };
  const lines = await run(`for (let i = 0; i < 1000; i += 1) console.log(i); return 1`, { limits });
  expect(lines.logs).toEqual(['0', '1', '2', '… (the rest of the console is left out)']);
  const long = await run(`console.log('x'.repeat(1e6)); console.log('y'); return 1`, { limits });
  expect(long.logs).toEqual([`${'x'.repeat(100)}… (the rest of the console is left out)`]);
  expect(await run(`return 'x'.repeat(49)`, { limits })).toMatchObject({ kind: 'too_large' });
  expect(await run(`return 'x'.repeat(48)`, { limits })).toMatchObject({ value: 'x'.repeat(48) });
  expect(await run(`return Array(1e5).fill('abc')`)).toMatchObject({ kind: 'too_large' });
});

test('a result that is too large for a script is thrown, and the script goes on', async () => {
  const outcome = await run(`try { await servers.shop.list() } catch ({ code }) { return code }`, {
    limits: { callResultCharsMax: 1_000 },
    call: () => Promise.resolve({ content: [{ type: 'text', text: 'x'.repeat(1_001) }] }),
  });
  expect(outcome).toMatchObject({ value: 'too_large' });
});

test('a script that is too long is not even started', async () => {
  expect(await run(`return 1 //${'x'.repeat(100)}`, { limits: { scriptCharsMax: 100 } })).toMatchObject({
    kind: 'syntax',
  });
});

test('a script that returns nothing has no value', async () => {
  expect(await run(`const a = 1; // the end`)).toEqual({
    kind: 'returned',
    value: undefined,
    logs: [],
    calls: 0,
  });
});
