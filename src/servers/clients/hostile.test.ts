import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyMachine, write } from '../../../test/clients/prepared-home.ts';
import { verifies } from '../../../test/requirements.ts';
import { clients } from './clients.ts';
import { parseText } from './documents/parse.ts';
import { readEntry } from './read-entry.ts';
import { readClients } from './scan.ts';

verifies(['S11'], 'bombs and prototype names in any syntax end in a sentence', async () => {
  const machine = emptyMachine();
  const { home } = machine;
  write(join(home, '.cursor', 'mcp.json'), `{"mcpServers":${'['.repeat(200_000)}`);
  write(join(home, '.lmstudio', 'mcp.json'), `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
  write(join(home, '.codex', 'config.toml'), `a = ${'['.repeat(100_000)}`);
  const laughs = Array.from(
    { length: 30 },
    (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}, *l${level}]`,
  );
  write(
    join(home, '.config', 'goose', 'config.yaml'),
    `l0: &l0 ha\n${laughs.join('\n')}\nextensions: {x: *l30}\n`,
  );
  write(join(home, '.continue', 'config.yaml'), `mcpServers: ${'['.repeat(50_000)}`);
  write(
    join(home, '.gemini', 'settings.json'),
    '{"__proto__":{"polluted":1},"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"y"}},"constructor":{"command":"c","prototype":{"polluted":1}},"odd":{"command":"ok","__proto__":{"polluted":true}},"ok":{"command":"ok"}}}',
  );
  const { found, problems } = await readClients(machine);
  expect(problems.map(({ client }) => client)).toEqual([
    'cursor',
    'gemini-cli',
    'gemini-cli',
    'codex',
    'goose',
    'continue',
    'lm-studio',
  ]);
  for (const { message } of problems) expect(message.length).toBeLessThan(600);
  expect(found.map(({ definition }) => definition.id)).toContain('ok');
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('no text of any syntax makes a parser throw', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          "'",
          ':',
          ',',
          '\n',
          '  ',
          '- ',
          '&a',
          '*a',
          '#',
          '//',
          '/*',
          '=',
          '"""',
          '[mcp_servers.a]',
          'mcpServers',
          '<<',
          '!!',
          '|',
          '\u0000',
          '\uFEFF',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom('json' as const, 'yaml' as const, 'toml' as const), (text, syntax) => {
      const parsed = parseText(syntax, text);
      if (parsed.kind === 'malformed') {
        expect(parsed.line).toBeGreaterThan(0);
        expect(parsed.reason).not.toBe('');
      } else {
        parsed.document.value(['mcpServers']);
        parsed.document.position(['mcpServers', 'a']);
      }
    }),
    { numRuns: 3_000 },
  );
});

test('no entry of any client makes the reader throw', () => {
  const names = [
    'command',
    'args',
    'env',
    'url',
    'headers',
    'type',
    'timeout',
    'tools',
    'envs',
    'env_vars',
    'requestOptions',
    'disabled',
    'cmd',
    'cwd',
    'oauth',
    '__proto__',
  ];
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 }),
  );
  fc.assert(
    fc.property(entry, fc.string(), fc.constantFrom(...clients), (value, key, client) => {
      const raw: unknown = JSON.parse(JSON.stringify(value));
      const outcome = readEntry(client, raw, { key, source: { kind: 'import' }, home: '/h', inputs: [] });
      expect(['ok', 'error']).toContain(outcome.kind);
    }),
    { numRuns: 3_000 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
