import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { defineServer, type ServerDefinition } from '../servers/definition.ts';
import { cwdMatters, startFolder } from './working-folder.ts';

function run(endpoint: object, more: Partial<ServerDefinition> = {}): ServerDefinition {
  const whole = { kind: 'stdio', command: 'run', args: [], env: {}, ...endpoint };
  return defineServer({ id: 'one', endpoint: whole as ServerDefinition['endpoint'], ...more });
}

verifies(['C12'], "a server's folder matters when its definition speaks of where it is started", () => {
  for (const args of [
    ['.'],
    ['..'],
    ['./src'],
    ['../x'],
    ['--root=.'],
    ['-d', '.\\x'],
    ['${workspaceFolder}/a'],
  ]) {
    expect([args, cwdMatters(run({ args }))]).toEqual([args, true]);
  }
  for (const args of [
    ['/abs'],
    ['./server.js'],
    ['../build/main.py'],
    ['.hidden'],
    ['...'],
    ['a.b'],
    ['${HOME}/x'],
  ]) {
    expect([args, cwdMatters(run({ args }))]).toEqual([args, false]);
  }
  expect(cwdMatters(run({ cwd: './x' }))).toBe(true);
  expect(cwdMatters(run({ cwd: '${cwd}/x' }))).toBe(true);
  expect(cwdMatters(run({ cwd: '/x', args: ['.'] }))).toBe(false);
  expect(cwdMatters(run({ env: { ROOT: '${PWD}' } }))).toBe(true);
  // A file's folders are meant from where it is, and a project's servers work in the project.
  const file = { kind: 'file', file: '/etc/mcp.json' } as const;
  expect(cwdMatters(run({ cwd: './x' }, { source: { ...file, scope: 'user' } }))).toBe(false);
  expect(cwdMatters(run({ args: ['.'] }, { source: { ...file, scope: 'user' } }))).toBe(true);
  expect(cwdMatters(run({ args: ['.'] }, { source: { ...file, scope: 'project' } }))).toBe(false);
  const remote = { kind: 'http', url: 'https://example.com/./x', headers: {} };
  expect(cwdMatters(run(remote))).toBe(false);
});

verifies(
  ['C12'],
  'a server starts in its own folder, else where its host works, else where it is defined',
  () => {
    expect(startFolder('/own', '/host', '/defined')).toBe('/own');
    expect(startFolder('sub', '/host', '/defined')).toBe('/host/sub');
    expect(startFolder('sub', undefined, '/defined')).toBe('/defined/sub');
    expect(startFolder(undefined, '/host', '/defined')).toBe('/host');
    expect(startFolder(undefined, undefined, '/defined')).toBe('/defined');
  },
);
