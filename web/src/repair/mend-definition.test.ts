import { expect, test } from 'vitest';
import type { ServerDefinition } from '../../../src/servers/definition.ts';
import { withFolder, withPort, withValues } from './mend-definition.ts';
import type { RepairInput } from './repair.ts';

test('a key goes into the vault, and the definition refers to it', () => {
  const { definition, secrets } = withValues(local(), [
    { input: input('env', 'API_KEY'), value: 'k-1' },
    { input: { ...input('env', 'REGION'), kind: 'text' }, value: 'eu' },
    { input: input('argument', '--token'), value: 'k-2' },
  ]);
  expect(secrets).toEqual({ 'x/API_KEY': 'k-1', 'x/token': 'k-2' });
  expect(definition.endpoint).toMatchObject({
    args: ['--dir', '/old', '--token=${vault:x/token}'],
    env: { API_KEY: '${vault:x/API_KEY}', REGION: 'eu' },
  });
});

test('a key for a header is sent with its scheme, pasted with or without it', () => {
  for (const value of ['k-1', 'Bearer k-1']) {
    const { definition, secrets } = withValues(remote(), [
      { input: input('header', 'Authorization'), value },
    ]);
    expect(secrets).toEqual({ 'x/Authorization': 'k-1' });
    expect(definition.endpoint).toMatchObject({
      headers: { Authorization: 'Bearer ${vault:x/Authorization}' },
    });
  }
  const { definition } = withValues(remote(), [{ input: input('header', 'X-Key'), value: 'k' }]);
  expect(definition.endpoint).toMatchObject({ headers: { 'X-Key': '${vault:x/X-Key}' } });
});

test('a reference that leads nowhere is replaced by one into the vault', () => {
  const before = local({ env: { REGION: 'a-${env:REGION}' } });
  const to = { in: 'placeholder', placeholder: '${env:REGION}', name: 'REGION' } as const;
  const { definition } = withValues(before, [{ input: { title: 'R', kind: 'secret', to }, value: 'eu' }]);
  expect(definition.endpoint).toMatchObject({ env: { REGION: 'a-${vault:x/REGION}' } });
});

test('what belongs into the vault alone leaves the definition as it was', () => {
  const before = local();
  const to = { in: 'vault', secret: 'x/key' } as const;
  const { definition, secrets } = withValues(before, [
    { input: { title: 'K', kind: 'secret', to }, value: 'k' },
  ]);
  expect(definition).toBe(before);
  expect(secrets).toEqual({ 'x/key': 'k' });
});

test('a container is given the variable by its command', () => {
  const before = local({ command: 'docker', args: ['run', '-i', 'image'] });
  const { definition } = withValues(before, [{ input: input('env', 'API_KEY'), value: 'k' }]);
  expect(definition.endpoint).toMatchObject({ args: ['run', '-e', 'API_KEY', '-i', 'image'] });
});

test('another folder takes the place of the missing one, else it is the last argument', () => {
  expect(withFolder(local(), { form: 'folder', path: '/old' }, '/new').endpoint).toMatchObject({
    args: ['--dir', '/new'],
  });
  expect(withFolder(local(), { form: 'folder' }, '/new').endpoint).toMatchObject({
    args: ['--dir', '/old', '/new'],
  });
});

test('another port takes the place of the taken one, and of no other number', () => {
  const before = local({ args: ['--port=3000', '30001'], env: { URL: 'http://localhost:3000/' } });
  expect(withPort(before, 3000, 3055).endpoint).toMatchObject({
    args: ['--port=3055', '30001'],
    env: { URL: 'http://localhost:3055/' },
  });
  expect(withPort(local(), 3000, 3055).endpoint).toMatchObject({ env: { PORT: '3055' } });
});

function input(where: 'env' | 'argument' | 'header', name: string): RepairInput {
  return { title: name, kind: 'secret', to: { in: where, name } };
}

interface Local {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function local({ command = 'x', args = ['--dir', '/old'], env = {} }: Local = {}): ServerDefinition {
  return { ...REST, endpoint: { kind: 'stdio', command, args, env } };
}

function remote(): ServerDefinition {
  return { ...REST, endpoint: { kind: 'http', url: 'https://x.example/mcp', headers: {} } };
}

const REST: Omit<ServerDefinition, 'endpoint'> = {
  id: 'x',
  name: 'X',
  auth: 'unknown',
  enabled: true,
  source: { kind: 'manual' },
  config: {},
  timeouts: {},
  tools: {},
  readOnly: false,
  keepAlive: false,
  sharing: 'auto',
  extra: {},
};
