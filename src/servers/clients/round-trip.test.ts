import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { type Endpoint, type ServerDefinition, defineServer } from '../definition.ts';
import { clientNamed, clients } from './clients.ts';
import { readEntry } from './read-entry.ts';
import { unwrap } from '../entry/unwrap.ts';
import { writeEntry } from './write-entry.ts';
import { splitTemplate } from '../placeholders.ts';
import { readText } from '../entry/texts.ts';

const source = { kind: 'import', name: 'x', file: '/home/ann/f.json' } as const;

function readBack(name: string, entry: unknown): ServerDefinition {
  const outcome = readEntry(clientNamed(name), entry, { key: 'a', source, home: '/home/ann', inputs: [] });
  if (outcome.kind === 'error') throw new Error(outcome.error.message);
  return outcome.definition;
}

const word = fc
  .stringMatching(/^[a-zA-Z0-9 ./:@=_-]{1,12}$/)
  .filter((text) => text.trim() === text && !/\.{3}|x{3}/i.test(text));
const variable = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/);
const text = fc.oneof(
  word,
  word,
  fc
    .string()
    // Sample text becomes an input that is asked for; it has tests of its own.
    .filter((value) => !/[\0<>[\]{}%#*]|\.{3}|x{3}/i.test(value))
    .map((value) =>
      value
        .replaceAll('${', () => '$${')
        .replaceAll('{env:', '')
        .trim(),
    ),
);
const placeholder = variable.map((name) => `\${${name}}`);
const value = fc.oneof(
  text,
  placeholder,
  fc.tuple(word, placeholder).map((parts) => parts.join('')),
);
const record = (key: fc.Arbitrary<string>): fc.Arbitrary<Record<string, string>> =>
  fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));
const header = fc.stringMatching(/^X-[A-Za-z]{1,8}$/);
const oneLine = record(header).map((headers) =>
  Object.fromEntries(Object.entries(headers).map(([key, line]) => [key, line.replaceAll(/[\r\n]/g, ' ')])),
);
const local: fc.Arbitrary<Endpoint> = fc.record({
  kind: fc.constant('stdio' as const),
  command: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
  args: fc.array(value, { maxLength: 5 }),
  env: record(variable),
});
const remote: fc.Arbitrary<Endpoint> = fc.record({
  kind: fc.constantFrom('http' as const, 'sse' as const),
  url: fc
    .stringMatching(/^[a-z]{1,8}$/)
    .filter((host) => !/^your|xxx|^changeme$/.test(host))
    .map((host) => `https://${host}.example/mcp`),
  headers: oneLine,
});
const definition = fc
  .record({
    endpoint: fc.oneof(local, remote),
    enabled: fc.boolean(),
    timeouts: fc.constantFrom({}, { callMs: 5_000 }, { startMs: 2_000, callMs: 60_000 }),
    tools: fc.constantFrom({}, { allow: ['read'] }, { deny: ['drop_table'] }),
  })
  .map((given) => defineServer({ id: 'a', source, ...given }))
  // Wrappers are taken off on the way in; they have tests of their own.
  .filter(({ endpoint }) => endpoint.kind !== 'stdio' || unwrap(endpoint).endpoint === endpoint);

for (const client of clients) {
  verifies(
    ['S12', 'S11'],
    `${client.title}: what it can say survives writing and reading; what it cannot is named`,
    () => {
      fc.assert(
        fc.property(definition, (given) => {
          const { entry, warnings } = writeEntry(client, given);
          const back = readBack(client.name, JSON.parse(JSON.stringify(entry)));
          // opencode tells the two kinds of address apart by asking the server.
          const kind =
            client.name === 'opencode' && given.endpoint.kind === 'sse' ? 'http' : given.endpoint.kind;
          const said = (what: RegExp): boolean => warnings.some((warning) => what.test(warning));
          if (!said(/does not read|can’t fill in|not known to speak/)) {
            expect(back.endpoint).toEqual({ ...given.endpoint, kind });
          }
          if (!said(/switch a server off/)) expect(back.enabled).toBe(given.enabled);
          if (!said(/timeout/)) expect(back.timeouts).toEqual(given.timeouts);
          if (!said(/tools/)) expect(back.tools).toEqual(given.tools);
        }),
        { numRuns: 200 },
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );
}

verifies(
  ['S11'],
  'fields that only one client knows come back to that client, and are named to others',
  () => {
    const entry = { command: 'x', args: [], trust: true, oauth: { clientId: 'c', scopes: ['a'] } };
    const read = readBack('gemini-cli', entry);
    expect(read.extra).toEqual({ trust: true, oauth: { clientId: 'c', scopes: ['a'] } });
    expect(writeEntry(clientNamed('gemini-cli'), read)).toEqual({ entry, warnings: [] });
    const { entry: other, warnings } = writeEntry(clientNamed('cursor'), read);
    expect(other).toEqual({ command: 'x', args: [] });
    expect(warnings).toEqual(['Cursor has no place for “trust”, “oauth”.']);
  },
);

test('only a config file of the user’s own may lift a protection; everything else counts everywhere', () => {
  const entry = {
    command: 'x',
    env: { NODE_OPTIONS: '--require=/x.js' },
    allowDangerousEnv: ['NODE_OPTIONS'],
    readOnly: true,
    sharing: 'per-host',
    config: { a: 1 },
    auth: 'none',
  };
  const read = readBack('cursor', entry);
  expect(read).toMatchObject({
    auth: 'none',
    sharing: 'per-host',
    config: { a: 1 },
    readOnly: true,
    extra: {},
  });
  expect(read.allowDangerousEnv).toBeUndefined();
});

verifies(['S12'], 'a value that the target cannot take is named, and never left out', () => {
  const given = defineServer({
    id: 'a',
    endpoint: {
      kind: 'stdio',
      command: 'x',
      args: ['${input:dir}'],
      env: { KEY: '${vault:a/KEY}', MODE: '${MODE:-fast}' },
    },
    enabled: false,
    readOnly: true,
  });
  const { entry, warnings } = writeEntry(clientNamed('claude-desktop'), given);
  expect(entry).toEqual({
    command: 'x',
    args: ['${input:dir}'],
    env: { KEY: '${vault:a/KEY}', MODE: '${MODE:-fast}' },
  });
  expect(warnings.join('\n')).toContain('“${vault:a/KEY}” in env.KEY');
  expect(warnings.join('\n')).toContain('“${input:dir}” in args[0]');
  expect(warnings.join('\n')).toContain('cannot switch a server off');
  expect(warnings.join('\n')).toContain('read-only mode');
  const codex = writeEntry(clientNamed('codex'), given);
  expect(codex.entry).toMatchObject({ enabled: false });
  expect(codex.warnings.join('\n')).toContain('${vault:a/KEY}');
});

test('text translation keeps literal dollars literal, and a dollar before a placeholder', () => {
  for (const text of ['$', '$$', '$${', 'a$${B}c', '${', '$}', 'x$${A}${A}']) {
    const ours = readText(text, 'args', { syntax: clientNamed('claude-code').dialect.placeholders });
    const literal = splitTemplate(ours).map((part) =>
      typeof part === 'string' ? part : part.text.replace('{env:A}', '${A}').replace('{env:B}', '${B}'),
    );
    expect(literal.join('')).toBe(text);
  }
});
