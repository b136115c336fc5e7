import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { nameTools } from '../../catalog/typescript/identifiers.ts';
import { verifies } from '../../../test/requirements.ts';
import { codeLimits, type CodeLimits } from './limits.ts';
import { runScript } from './sandbox.ts';
import type { ScriptOutcome } from './thread-messages.ts';

const tools = nameTools([{ ref: 'a/b', server: 'a', name: 'b' }]);
const made: JsonObject[] = [];

function run(code: string, limits: Partial<CodeLimits> = {}): Promise<ScriptOutcome> {
  return runScript({
    code,
    tools,
    clock: systemClock,
    call: (_ref, args) => {
      made.push(args);
      return Promise.resolve({ structuredContent: { got: args } });
    },
    lookups: { search: () => Promise.resolve([]), describe: () => Promise.resolve('') },
    limits: { ...codeLimits, ...limits },
  });
}

/** Threads of this process that run a script. */
function threads(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort' || kind === 'Worker')
    .length;
}

verifies(
  ['G3'],
  'a script has the language, its tools and a console, and nothing of the machine it runs on',
  async () => {
    const outcome = await run(`
    const names = ['process', 'require', 'module', 'fetch', 'XMLHttpRequest', 'WebSocket', 'setTimeout', 'setInterval',
      'setImmediate', 'queueMicrotask', 'Atomics', 'WebAssembly', 'Worker', 'Buffer', 'performance', 'navigator', 'std', 'os', 'print', 'load'];
    const found = names.filter((name) => name in globalThis);
    const own = Object.keys(globalThis);
    const through = [servers, servers.a, servers.a.b, tools.search, console.log, new Error('x'), Promise.resolve()].map(
      (value) => { try { return value.constructor.constructor('return typeof process + typeof require + typeof fetch')() } catch { return 'none' } });
    const said = (() => 0).constructor('return typeof process + typeof require + typeof fetch')();
    return { found, own, said, through: [...new Set(through)] };
  `);
    expect(outcome).toMatchObject({
      kind: 'returned',
      value: {
        found: [],
        own: ['servers', 'tools', 'console'],
        said: 'undefinedundefinedundefined',
        through: ['none', 'undefinedundefinedundefined'],
      },
    });
  },
);

test('nothing can be imported', async () => {
  const outcome = await run(
    `const out = [];
     for (const name of ['node:fs', 'fs', 'std', 'os', 'file:///etc/passwd', 'data:text/javascript,1', './thread.ts'])
       try { await import(name); out.push(name) } catch (error) { out.push(0) }
     return out`,
  );
  expect(outcome).toMatchObject({ value: [0, 0, 0, 0, 0, 0, 0] });
});

test.each([
  ['an endless loop', 'for (;;) ;'],
  ['an endless loop that catches', 'for (;;) try { for (;;) ; } catch {} finally { for (;;) ; }'],
  [
    'an endless loop in an async function that is caught',
    'for (;;) try { await (async () => { for (;;) ; })() } catch {}',
  ],
  ['a storm of promises', 'for (;;) await null'],
  ['promises that make promises', 'const f = () => Promise.resolve().then(f); await f()'],
  ['a regular expression that never ends', 'return /(a+)+$/.test("a".repeat(40) + "b")'],
  ['an endless getter in what is returned', 'return { get a() { for (;;) ; } }'],
  ['an endless toJSON in arguments', 'await servers.a.b({ toJSON() { for (;;) ; } })'],
  ['an endless thenable', 'return { then(resolve) { resolve(this) } }'],
  ['an endless error', 'throw { toString() { for (;;) ; }, toJSON() { for (;;) ; } }'],
  [
    'an endless iterator',
    'for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }) ;',
  ],
])('%s is ended', async (_what, code) => {
  expect(await run(code, { ownMs: 150 })).toMatchObject({ kind: 'time' });
  expect(threads()).toBe(0);
});

test.each([
  ['a memory bomb', 'const all = []; for (;;) all.push(new Uint8Array(1e6))'],
  ['a bomb of strings', 'let text = "x"; for (;;) text += text'],
  ['a huge array', 'return new Array(1e8).fill(0).length'],
  ['a huge buffer', 'return new ArrayBuffer(2 ** 31 - 1).byteLength'],
  ['recursion', 'const f = () => f() + 1; return f()'],
  ['recursion through toString', 'const o = { toString() { return "" + o } }; return "" + o'],
  ['recursion through constructors', 'class A { constructor() { new A() } } new A()'],
  ['recursion through sorting', '[1, 2].sort(function f() { return [2, 1].sort(f) })'],
  ['a chain of proxies', 'let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); return p.x'],
])('%s is ended and told as memory', async (_what, code) => {
  expect(await run(code)).toMatchObject({ kind: 'memory' });
  expect(threads()).toBe(0);
});

test('memory that was refused and caught is no reason to end', async () => {
  expect(await run(`try { new ArrayBuffer(1e9) } catch (error) { return error.message }`)).toMatchObject({
    value: 'out of memory',
  });
});

test('what cannot be interrupted from inside is ended from outside', async () => {
  // One native operation after another, with hardly a step of the script between them.
  const code = `const s = 'ab'.repeat(4e6); for (;;) s.split('').reverse().join('').localeCompare(s)`;
  expect(['time', 'memory']).toContain((await run(code, { ownMs: 300, graceMs: 200, watchMs: 50 })).kind);
  expect(threads()).toBe(0);
});

test('a script that waits for nothing is told so at once', async () => {
  for (const code of ['await new Promise(() => {})', 'return new Promise(() => {})', 'await { then() {} }'])
    expect(await run(code)).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('nothing will settle'),
    });
});

test('a call that never ends is ended with the time of the script', async () => {
  let wasAborted = false;
  let running = 0;
  let timeIsOver = (): void => undefined;
  const outcome = await runScript({
    code: 'await servers.a.b()',
    tools,
    clock: {
      ...systemClock,
      after: (_ms, then) => {
        timeIsOver = then;
        return () => undefined;
      },
    },
    call: (_ref, _args, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => (wasAborted = true));
        running = threads();
        timeIsOver();
      }),
    lookups: { search: () => Promise.resolve([]), describe: () => Promise.resolve('') },
  });
  expect(outcome).toMatchObject({ kind: 'time', calls: 1 });
  expect(wasAborted).toBe(true);
  expect([running > 0, threads()]).toEqual([true, 0]);
});

test('ten thousand calls end at the limit, which a script may catch', async () => {
  made.length = 0;
  expect(
    await run(`await Promise.all(Array.from({ length: 10_000 }, (_, n) => servers.a.b({ n })))`),
  ).toMatchObject({ kind: 'calls', line: 1 });
  expect(made.length).toBeLessThanOrEqual(codeLimits.callsMax);
  const outcome = await run(
    `let done = 0; try { for (;;) { await servers.a.b({}); done += 1 } } catch { return done }`,
    { callsMax: 5 },
  );
  expect(outcome).toMatchObject({ value: 5, calls: 5 });
  const floods = await run(`for (;;) servers.a.b({}).catch(() => 0)`, { ownMs: 500 });
  expect(floods).toMatchObject({ kind: 'time' });
  const searches = await run(`for (;;) await tools.search('x')`, { lookupsMax: 20 });
  expect(searches).toMatchObject({ kind: 'calls' });
});

test('arguments are plain JSON, whatever the script made them of', async () => {
  made.length = 0;
  const outcome = await run(`
    const args = { get a() { return 1 }, b: undefined, c: () => 1, d: new Date(0), e: new Map([[1, 2]]), f: NaN };
    Object.defineProperty(args, '__proto__', { value: { polluted: true }, enumerable: true });
    args['constructor'] = { prototype: { polluted: true } };
    await servers.a.b(args);
    const refused = [];
    const cycle = {}; cycle.self = cycle;
    for (const bad of [cycle, { n: 1n }, [1], 'text', 5, null, { get x() { throw 'no' } }])
      try { await servers.a.b(bad); refused.push(false) } catch { refused.push(true) }
    return refused;
  `);
  expect(outcome).toMatchObject({ value: [true, true, true, true, true, true, true], calls: 1 });
  expect(JSON.stringify(made)).toBe(
    '[{"a":1,"d":"1970-01-01T00:00:00.000Z","e":{},"f":null,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]',
  );
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('arguments that are too long are refused before they leave the machine', async () => {
  made.length = 0;
  expect(await run(`await servers.a.b({ text: 'x'.repeat(1e6) })`)).toMatchObject({ kind: 'calls' });
  expect(made).toEqual([]);
});

test.each([
  ['a circle', 'const a = {}; a.a = a; return a', /circular/],
  ['a bigint', 'return 1n', /BigInt/i],
  ['something deep', 'let a = []; for (let i = 0; i < 2e4; i += 1) a = [a]; return a', /stack overflow/],
  ['a getter that throws', 'return { get a() { throw new Error("no") } }', /no/],
])('%s that is returned is told as no JSON', async (_what, code, why) => {
  expect(await run(code)).toMatchObject({
    kind: 'threw',
    message: expect.stringMatching(why),
  });
});

test.each([
  ['throw null', 'The script threw null.'],
  ['throw "text"', 'The script threw text.'],
  ['throw { a: 1 }', 'The script threw {"a":1}.'],
  ['throw undefined', 'The script threw undefined.'],
  ['throw Symbol("s")', 'The script threw Symbol(s).'],
  ['throw new Proxy({}, { get() { throw 1 } })', undefined],
  ['const e = new Error("x"); e.stack = "at script.ts:99999:1"; throw e', 'x'],
  ['await Promise.reject(new RangeError("r"))', 'RangeError: r'],
])('%s is told as thrown', async (code, message) => {
  expect(await run(code)).toMatchObject({ kind: 'threw', ...(message === undefined ? {} : { message }) });
});

test('a script that breaks the language breaks it for itself alone', async () => {
  const outcome = await run(`
    const breakage = () => { throw new Error('broken') };
    JSON.stringify = JSON.parse = breakage;
    Promise.prototype.then = breakage;
    Array.prototype.includes = Array.prototype.map = breakage;
    Object.prototype.toJSON = () => 'mine';
    Map.prototype.get = breakage;
    globalThis.servers = 5;
    return 1;
  `);
  expect(outcome).toMatchObject({ kind: 'threw', message: expect.stringContaining('read-only') });
  expect(
    await run(`Object.prototype.toJSON = () => 'mine'; return await servers.a.b({ a: 1 })`),
  ).toMatchObject({
    value: 'mine',
  });
  expect(await run(`return await servers.a.b({ a: 1 })`)).toMatchObject({ value: { got: { a: 1 } } });
});

test.each([
  [
    'the function around it is closed',
    '}); servers.a; (async function () { return typeof process',
    'undefined',
  ],
  [
    'escapes spell names',
    'return typeof globalThis["pro\\u0063ess"] + typeof \\u0070rocess',
    'undefinedundefined',
  ],
  ['a comment ends it', 'return 1 /* */ //', 1],
  ['an HTML comment', 'let a = 1;\n<!-- a = 2\nreturn a', 1],
  ['line separators', 'return "\u2028\u2029".length', 2],
  ['hidden text in names', 'const ｐｒｏｃｅｓｓ = 1; return typeof process', 'undefined'],
  ['half a surrogate pair', 'return "\\ud800".length', 1],
  ['a null', 'return "a\u0000b".length', 3],
  ['a template that is not closed', 'return `', undefined],
  ['a hashbang', '#!/usr/bin/env node\nreturn 1', undefined],
  ['nested too deeply', `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`, undefined],
])('tricks in the source gain nothing: %s', async (_what, code, value) => {
  const outcome = await run(code);
  if (value === undefined) expect(['syntax', 'memory']).toContain(outcome.kind);
  else expect(outcome).toMatchObject({ kind: 'returned', value });
});

test('half a surrogate pair comes back as it was', async () => {
  expect(await run('return (await servers.a.b({ text: "\\ud800 \u0000 ü" })).got.text')).toMatchObject({
    value: '\ud800 \u0000 ü',
  });
});
