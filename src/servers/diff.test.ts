import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { defineServer, type ServerDefinition } from './definition.ts';
import { diffFields, diffServers } from './diff.ts';

const local = (id: string, given: Partial<ServerDefinition> = {}): ServerDefinition =>
  defineServer({ id, endpoint: { kind: 'stdio', command: 'x', args: [], env: {} }, ...given });

verifies(['S4'], 'a change of files is a diff: added, removed, changed, kept', () => {
  const before = [local('kept'), local('changed'), local('removed')];
  const after = [
    local('added'),
    local('changed', { endpoint: { kind: 'stdio', command: 'y', args: [], env: {} } }),
    local('kept'),
  ];
  expect(diffServers(before, after)).toEqual({
    added: ['added'],
    removed: ['removed'],
    changed: [{ id: 'changed', restart: true, fields: [{ field: 'command', before: 'x', after: 'y' }] }],
    kept: ['kept'],
  });
  expect(diffServers(before, before)).toMatchObject({ changed: [], kept: ['kept', 'changed', 'removed'] });
});

verifies(['S4'], 'a new name, filter, limit or place does not restart a server; what it runs on does', () => {
  const restarts = (given: Partial<ServerDefinition>): boolean | undefined =>
    diffServers([local('a')], [local('a', given)]).changed[0]?.restart;
  const inPlace: readonly Partial<ServerDefinition>[] = [
    { name: 'A' },
    { tools: { allow: [] } },
    { timeouts: { callMs: 1 } },
    { readOnly: true },
    { keepAlive: true },
    { enabled: false },
    { extra: { x: {} } },
    { source: { kind: 'file', file: '/mcp.json', scope: 'user' } },
  ];
  for (const given of inPlace) expect(restarts(given), JSON.stringify(given)).toBe(false);
  const endpoint = { kind: 'stdio' as const, command: 'x', args: [], env: {} };
  const anew: readonly Partial<ServerDefinition>[] = [
    { endpoint: { ...endpoint, args: ['1'] } },
    { endpoint: { ...endpoint, env: { A: '' } } },
    { endpoint: { ...endpoint, cwd: '/' } },
    { endpoint: { kind: 'http', url: 'http://a.test', headers: {} } },
    { config: { id: 'v' } },
    { auth: 'oauth' },
    { sharing: 'per-host' },
  ];
  for (const given of anew) expect(restarts(given), JSON.stringify(given)).toBe(true);
});

test('a diff names a secret that changed without showing it; placeholders are shown', () => {
  const at = (value: string): ServerDefinition =>
    local('a', {
      endpoint: { kind: 'http', url: 'https://a.test', headers: { Authorization: value, X: value } },
    });
  expect(diffFields(at('canary-1'), at('canary-2'))).toEqual([
    { field: 'headers.Authorization', before: '[secret]', after: '[secret]' },
    { field: 'headers.X', before: 'canary-1', after: 'canary-2' },
  ]);
  expect(diffFields(at('canary-1'), at('Bearer ${T}'))[0]).toMatchObject({ after: 'Bearer ${T}' });
});
