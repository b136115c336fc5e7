import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import type { Json } from '../base/json.ts';
import { parseConfigText } from './config-text.ts';
import { type EntryOutcome, parseEntry } from './config-entry.ts';
import { type ServerDefinition, type Source, defineServer, isServerId } from './definition.ts';
import { renderEntry } from './diff.ts';

const source: Source = { kind: 'file', file: '/home/u/project/mcp.json', scope: 'user' };
const parse = (value: unknown, key = 'a'): EntryOutcome => parseEntry(key, value, { source });

function definitionOf(value: unknown, key?: string): ServerDefinition {
  const outcome = parse(value, key);
  if (outcome.kind === 'error') throw new Error(outcome.error.message);
  return outcome.definition;
}

verifies(['S1', 'S2'], 'an entry of an mcpServers map becomes a definition', () => {
  expect(
    definitionOf({ command: 'npx', args: ['-y', 'p'], env: { K: 'v' }, cwd: '/x', timeout_s: 2.5 }),
  ).toEqual(
    defineServer({
      id: 'a',
      endpoint: { kind: 'stdio', command: 'npx', args: ['-y', 'p'], cwd: '/x', env: { K: 'v' } },
      source,
      timeouts: { callMs: 2500 },
    }),
  );
  expect(
    definitionOf({ url: 'https://a.test/mcp', headers: { Authorization: 'Bearer ${T}' } }).endpoint,
  ).toEqual({
    kind: 'http',
    url: 'https://a.test/mcp',
    headers: { Authorization: 'Bearer ${T}' },
  });
  expect(definitionOf({ url: 'wss://a.test' }).endpoint.kind).toBe('ws');
  expect(definitionOf({ type: 'sse', url: 'http://a.test' }).endpoint.kind).toBe('sse');
  expect(definitionOf({ transport: 'streamable-http', url: '${URL}' }).endpoint.kind).toBe('http');
  const rich = definitionOf({
    name: 'My own',
    command: 'x',
    disabled: true,
    readOnly: true,
    keepAlive: true,
    sharing: 'per-host',
    tools: { allow: ['get_*'], deny: ['get_secret'] },
    timeouts: { startMs: 1, callMs: 2, idleMs: 3, toolMs: { slow: 4 } },
  });
  expect(rich).toMatchObject({
    name: 'My own',
    enabled: false,
    readOnly: true,
    keepAlive: true,
    sharing: 'per-host',
    tools: { allow: ['get_*'], deny: ['get_secret'] },
    timeouts: { startMs: 1, callMs: 2, idleMs: 3, toolMs: { slow: 4 } },
  });
});

verifies(
  ['S1'],
  'any definition survives being written to a file and read again, unknown fields included',
  () => {
    fc.assert(
      fc.property(anyDefinition, (definition) => {
        const text = JSON.stringify({ mcpServers: { [definition.id]: renderEntry(definition) } });
        const read = parseConfigText(text);
        if (read.kind !== 'ok') throw new Error(read.reason);
        const [entry] = read.entries;
        expect(definitionOf(entry?.value, definition.id)).toEqual(definition);
      }),
      { numRuns: 300 },
    );
  },
);

test('unknown fields are kept and named, also those inside of known ones', () => {
  const entry = {
    command: 'x',
    autoApprove: ['a'],
    headers: { X: '1' },
    auth: { CLIENT_ID: 'c' },
    timeouts: { callMs: 1, connectMs: 2 },
    package: { registry: 'npm', name: 'p', version: '1.0.0', integrity: 'sha512-…', signature: 's' },
  };
  const outcome = parse(entry);
  expect(outcome).toMatchObject({
    definition: {
      extra: {
        autoApprove: ['a'],
        headers: { X: '1' },
        timeouts: { connectMs: 2 },
        package: { signature: 's' },
      },
    },
    warnings: [
      '“a”: “auth” is kept, but not acted on: give here what the server needs of it.',
      '“a”: “autoApprove” is kept, without effect: which calls ask first is decided by your rules here.',
      '“a”: “timeouts”, “package” are not known; kept, without effect.',
      '“a”: “headers” is without effect on a local server; kept.',
    ],
  });
  expect(renderEntry(definitionOf(entry))).toEqual(entry);
});

test('a wrong entry is refused with the field and what was expected, and nothing else suffers', () => {
  const wrong: readonly [unknown, string, string][] = [
    ['npx', 'entry', 'an object'],
    [{}, 'command', 'given, or “url”'],
    [{ command: 'x', url: 'https://a.test' }, 'command', 'one of the two'],
    [{ command: '' }, 'command', 'not empty'],
    [{ command: [{}] }, 'command[0]', 'a text'],
    [{ command: 7 }, 'command', 'a text'],
    [{ command: 'x\0y' }, 'command', 'NUL'],
    [{ command: 'x', args: 7 }, 'args', 'a list of texts'],
    [{ command: 'x', args: ['--port', {}] }, 'args[1]', 'a text in quotes, not an object'],
    [{ command: 'x', env: { PORT: [1] } }, 'env.PORT', 'a text in quotes'],
    [{ command: 'x', env: { 'A=B': '' } }, 'env.A=B', 'a name without'],
    [{ command: 'x', cwd: 1 }, 'cwd', 'a text'],
    [{ command: 'x', timeout_s: 0 }, 'timeout_s', 'above 0'],
    [{ command: 'x', timeout_s: 1e9 }, 'timeout_s', 'at most'],
    [{ command: 'x', type: 'http' }, 'type', 'stdio'],
    [{ command: 'x', disabled: 'yes' }, 'disabled', 'true or false'],
    [{ command: 'x', disabled: true, enabled: true }, 'disabled', 'the opposite'],
    [{ command: 'x', sharing: 'never' }, 'sharing', 'one of auto, shared, per-host'],
    [{ command: 'x', tools: { allow: [''] } }, 'tools.allow[0]', 'characters'],
    [{ command: 'x', timeouts: { toolMs: { t: -1 } } }, 'timeouts.toolMs.t', 'above 0'],
    [{ url: 'https://a.test', type: 'stdio' }, 'type', 'http, sse or ws'],
    [{ url: 'https://a.test', type: 'ws' }, 'type', 'http'],
    [{ url: 'https://a.test', type: 'http', transport: 'sse' }, 'transport', 'the same'],
    [{ url: 'https://a.test', headers: { 'A b': '' } }, 'headers.A b', 'named with'],
    [{ url: 'https://a.test', headers: { A: 'x\r\ny' } }, 'headers.A', 'one line'],
  ];
  for (const [value, field, expected] of wrong) {
    const outcome = parseEntry('a', value, { source, line: 7, column: 3 });
    expect(outcome, JSON.stringify(value)).toMatchObject({
      kind: 'error',
      id: 'a',
      error: { code: 'bad_config', owner: 'you', server: 'a', details: { field, line: 7, column: 3 } },
    });
    if (outcome.kind === 'error') {
      expect(outcome.error.message).toContain('/home/u/project/mcp.json, line 7: “a”: ');
      expect(outcome.error.message).toContain(expected);
      expect(outcome.error.next).toBeTruthy();
    }
  }
});

test('only plain http, https, ws and wss addresses are accepted, and a password is not repeated', () => {
  const bad = [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ftp://${HOST}/x',
    'https://user:canary@a.test/',
    'https://@a.test/',
    'https://a.test/#canary',
    'https://a.test\\@canary.test/',
    'https://a.test/ canary',
    'https://a.test/\n',
    'a.test/mcp',
    'prefix${URL}',
    'https://',
  ];
  for (const url of bad) {
    const outcome = parse({ url });
    expect(outcome, url).toMatchObject({ kind: 'error', error: { details: { field: 'url' } } });
    expect(JSON.stringify(outcome)).not.toContain('canary');
  }
  for (const url of [
    'http://127.0.0.1:1/mcp?x=1',
    'https://${HOST}/mcp',
    '${URL}',
    '{env:URL}',
    'ws://[::1]/',
  ]) {
    expect(parse({ url }), url).toMatchObject({ kind: 'ok' });
  }
});

verifies(
  ['S1', 'attack:C9'],
  'a name becomes an id only when nothing is lost and no other entry has it',
  () => {
    const named = (key: string, keys: readonly string[] = [key]): EntryOutcome =>
      parseEntry(key, { command: 'x' }, { source, keys });
    expect(named('My Server (work)')).toMatchObject({
      definition: { id: 'my-server-work', name: 'My Server (work)' },
      warnings: ['“My Server (work)” is used under the id “my-server-work”.'],
    });
    expect(named('@scope/pkg')).toMatchObject({ definition: { id: 'scope-pkg', name: '@scope/pkg' } });
    expect(named('süß')).toMatchObject({ definition: { id: 'suss', name: 'süß' } });
    expect(named('日本語')).toMatchObject({
      definition: { id: expect.stringMatching(/^server-[0-9a-f]{6}$/) },
    });
    expect(named('Café', ['Café', 'cafe'])).toMatchObject({ kind: 'error', id: 'Café' });
    expect(named('GitHub', ['GitHub', 'github'])).toMatchObject({ kind: 'error', id: 'GitHub' });
    expect(named('github', ['GitHub', 'github'])).toMatchObject({ kind: 'ok' });
    expect(named('A b', ['A b', 'a B'])).toMatchObject({ kind: 'error' });
    const refused = [
      '../../x',
      'a/../b',
      '/etc',
      'CON',
      'nul',
      'com1.txt',
      'a\0b',
      'x'.repeat(300),
      'X'.repeat(65),
    ];
    for (const key of [...refused, '', ' ', '-', 'a\nb', '__proto__', 'constructor', 'Constructor']) {
      expect(named(key), key).toMatchObject({
        kind: 'error',
        error: { code: 'bad_config', next: expect.any(String) },
      });
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (key) => {
        const outcome = named(key);
        expect(outcome.kind === 'error' || isServerId(outcome.definition.id)).toBe(true);
      }),
    );
  },
);

verifies(
  ['attack:C10'],
  'a prototype name anywhere in an entry refuses that entry and touches no prototype',
  () => {
    const read = parseConfigText(
      '{"mcpServers": {"bad": {"command": "x", "env": {"__proto__": "y"}}, "worse": {"command": "x", "extra": [{"__proto__": {"polluted": true}}]}, "good": {"command": "x"}}}',
    );
    if (read.kind !== 'ok') throw new Error(read.reason);
    const outcomes = read.entries.map(({ key, value }) => parseEntry(key, value, { source }).kind);
    expect(outcomes).toEqual(['error', 'error', 'ok']);
    expect('polluted' in {}).toBe(false);
  },
);

test('relative folders and value files start at the folder of the config file', () => {
  const { endpoint } = definitionOf({
    command: 'x',
    cwd: 'sub',
    args: ['./kept.js', '--key=${file:keys/a.txt}', '$${file:b}', '${file:/abs}', '${file:~/k}'],
    env: { K: '${file:../k}' },
  });
  expect(endpoint).toEqual({
    kind: 'stdio',
    command: 'x',
    cwd: '/home/u/project/sub',
    args: [
      './kept.js',
      '--key=${file:/home/u/project/keys/a.txt}',
      '$${file:b}',
      '${file:/abs}',
      '${file:~/k}',
    ],
    env: { K: '${file:/home/u/k}' },
  });
  expect(definitionOf({ command: 'x', cwd: '${HOME}/y' }).endpoint).toMatchObject({ cwd: '${HOME}/y' });
  expect(definitionOf({ command: 'x', cwd: '~/y' }).endpoint).toMatchObject({ cwd: '~/y' });
});

test('no entry, however strange, makes reading throw', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue()),
      (key, any, entry) => {
        expect(['ok', 'error']).toContain(parse(any, key).kind);
        expect(['ok', 'error']).toContain(parse(entry).kind);
      },
    ),
    { numRuns: 2_000 },
  );
});

const FIELDS = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'type',
  'timeouts',
  'tools',
  'package',
  'auth',
  'name',
  'x',
];

// ── Any definition that a file can hold ───────────────────────────────────

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  // Control characters are no part of a name, and sample text becomes an input.
  .filter((s) => s.trim() === s && s !== '' && !/[\p{Cc}\p{Cf}<>[\]{}$%#*…\s]|\.{3}|x{3}/iu.test(s));
const template = fc.oneof(text, fc.constantFrom('${A}', '${A:-b}', '$${A}', '${file:/k}', '${input:c}'));
const key = fc.string({ minLength: 1, maxLength: 8 }).filter((s) => !/[=\0]/.test(s) && s !== '__proto__');
const headerName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/);
const headerValue = template.filter((s) => !/[\r\n]/.test(s));
const amount = fc.integer({ min: 1, max: 3_600_000 });
const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json) // −0 does not survive JSON
  .filter((value) => !JSON.stringify(value).includes('__proto__'));
const globs = fc.array(text, { maxLength: 3 });

const endpoint = fc.oneof(
  fc.record(
    {
      kind: fc.constant('stdio' as const),
      command: template,
      args: fc.array(template),
      env: fc.dictionary(key, template),
      cwd: text.map((s) => `/${s}`),
    },
    { requiredKeys: ['kind', 'command', 'args', 'env'] },
  ),
  fc.record({
    kind: fc.constantFrom('http' as const, 'sse' as const),
    url: fc.constantFrom('http://localhost:1', 'https://a.test/mcp?x=${A}', '${URL}'),
    headers: fc.dictionary(headerName, headerValue),
  }),
  fc.record({
    kind: fc.constant('ws' as const),
    url: fc.constantFrom('ws://a.test', '${URL}'),
    headers: fc.constant({}),
  }),
);

const anyDefinition: fc.Arbitrary<ServerDefinition> = fc
  .record(
    {
      id: fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/).filter(isServerId),
      endpoint,
      name: text,
      source: fc.constant(source),
      auth: fc.constantFrom('none', 'key', 'key-file', 'oauth', 'header', 'unknown'),
      enabled: fc.boolean(),
      package: fc.record(
        { registry: fc.constantFrom('npm', 'pypi', 'oci'), name: text, version: text, runtimeHint: text },
        { requiredKeys: ['registry', 'name', 'version'] },
      ),
      config: fc.dictionary(key, json),
      timeouts: fc.record(
        { startMs: amount, callMs: amount, idleMs: amount, toolMs: fc.dictionary(key, amount) },
        { requiredKeys: [] },
      ),
      tools: fc.record({ allow: globs, deny: globs }, { requiredKeys: [] }),
      readOnly: fc.boolean(),
      keepAlive: fc.boolean(),
      sharing: fc.constantFrom('auto', 'shared', 'per-host'),
      extra: fc.dictionary(fc.stringMatching(/^x[A-Za-z_-]{0,8}$/), json),
    },
    { requiredKeys: ['id', 'endpoint', 'source'] },
  )
  .map((given) => JSON.parse(JSON.stringify(defineServer(given))) as ServerDefinition); // plain data
