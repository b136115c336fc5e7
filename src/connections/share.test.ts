import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { defineServer, fingerprintOf, type ServerDefinition } from '../servers/definition.ts';
import type { PooledServer } from './pool.ts';
import { shareOf } from './shared-connection.ts';

function pooled(
  id: string,
  endpoint: object,
  more: Partial<ServerDefinition> = {},
  folder = '/home',
): PooledServer {
  const whole = {
    kind: 'stdio',
    command: 'run',
    args: [],
    env: {},
    ...endpoint,
  } as ServerDefinition['endpoint'];
  const definition = defineServer({ id, endpoint: whole, ...more });
  return { key: id, definition, fingerprint: fingerprintOf(definition), folder };
}

verifies(
  ['C12'],
  'definitions share a connection only where command, credential and place are the same',
  () => {
    const same = (a: PooledServer, b: PooledServer): boolean => shareOf(a) === shareOf(b);
    expect(same(pooled('a', {}), pooled('b', {}))).toBe(true);
    expect(same(pooled('a', {}), pooled('b', { args: ['x'] }))).toBe(false);
    expect(same(pooled('a', { env: { K: '1' } }), pooled('b', { env: { K: '2' } }))).toBe(false);
    expect(same(pooled('a', { env: { K: '${input:k}' } }), pooled('b', { env: { K: '${input:k}' } }))).toBe(
      false,
    );
    expect(same(pooled('a', { cwd: 'here' }), pooled('b', { cwd: 'here' }))).toBe(false);
    expect(same(pooled('a', { cwd: '/here' }), pooled('b', { cwd: '/here' }))).toBe(true);
    const project = { source: { kind: 'file', scope: 'project' } } as const;
    expect(same(pooled('a', {}, project, '/one'), pooled('b', {}, project, '/two'))).toBe(false);
    const one = pooled('a', {});
    const host = (id: string) => ({ by: { kind: 'host', host: { id, handlers: {} } } }) as const;
    expect(shareOf(one, host('host-1'))).not.toBe(shareOf(one, host('host-2')));
  },
);
