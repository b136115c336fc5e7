import { expect, test } from 'vitest';
import type { LocalEndpoint, PackageRef } from '../../servers/definition.ts';
import { fitsEngines } from './engines.ts';
import { type PackagedRun, packagedRun } from './packaged-run.ts';
import { folderName } from './record.ts';
import { uvSteps } from './uv-install.ts';

function run(line: string, pinned?: PackageRef, env: LocalEndpoint['env'] = {}): PackagedRun {
  const [command = '', ...args] = line.split(' ');
  return packagedRun({ kind: 'stdio', command, args, env }, pinned);
}

const ACME = { registry: 'npm', name: '@acme/tool', version: '1.2.3' } as const;

test.each([
  ['npx -y @acme/tool@1.2.3 --stdio', { args: ['--stdio'] }],
  ['npx -y @acme/tool@1.2.3 -- --stdio', { args: ['--', '--stdio'] }],
  ['/usr/bin/npx.cmd --yes --quiet @acme/tool@1.2.3', { args: [] }],
  ['npx -y --package=@acme/tool@1.2.3 -- serve --port 1', { program: 'serve', args: ['--port', '1'] }],
  ['npx -p @acme/tool@1.2.3 -y serve', { program: 'serve', args: [] }],
  ['npm exec -y @acme/tool@1.2.3 -- --stdio', { args: ['--stdio'] }],
  ['npm exec @acme/tool@1.2.3 one -- --two', { args: ['one', '--two'] }],
])('“%s” is the program of a package with its arguments', (line, expected) => {
  expect(run(line)).toEqual({ kind: 'package', package: ACME, ...expected });
});

test.each([
  'npx -c acme-tool@1.2.3',
  'npx -y --registry http://127.0.0.1 @acme/tool@1.2.3',
  'npx -p @acme/tool@1.2.3 -p other serve',
  'npm exec @acme/tool@1.2.3 --stdio',
  'uvx --with other acme-tool==1.0',
])('“%s” is left to its runner', (line) => {
  expect(run(line).kind).not.toBe('package');
});

test('a command without an exact version takes the one that is recorded for the same package', () => {
  const pinned = { ...ACME, integrity: 'sha512-a' };
  expect(run('npx -y @acme/tool', pinned)).toMatchObject({ kind: 'package', package: pinned });
  expect(run('npx -y @acme/tool@latest', pinned)).toMatchObject({ package: pinned });
  expect(run('npx -y @acme/other', pinned)).toMatchObject({
    kind: 'runner',
    package: { name: '@acme/other' },
  });
  // What is written counts more, and the recorded checksum is another version's.
  expect(run('npx -y @acme/tool@2.0.0', pinned)).toEqual({
    kind: 'package',
    package: { ...ACME, version: '2.0.0' },
    args: [],
  });
  for (const version of ['latest', '^1.0.0', '../../evil', '1.2.3/../../x', ''])
    expect(run('npx -y @acme/tool', { ...ACME, version }).kind, version).toBe('runner');
});

test('variables that set up the package manager leave the server to its runner', () => {
  const env = { NPM_CONFIG_REGISTRY: 'http://127.0.0.1' };
  expect(run('npx -y @acme/tool@1.2.3', undefined, env).kind).toBe('runner');
  expect(run('npx -y @acme/tool@1.2.3', undefined, { API_KEY: 'x' }).kind).toBe('package');
});

test('Python packages are read from uvx with their script and extras', () => {
  expect(run('uvx --from acme-tool[cli]==1.0 acme serve')).toEqual({
    kind: 'package',
    package: { registry: 'pypi', name: 'acme-tool[cli]', version: '1.0' },
    program: 'acme',
    args: ['serve'],
  });
  expect(run('uv tool run acme-tool==1.0')).toMatchObject({ kind: 'package', args: [] });
  expect(run('uvx acme-tool')).toMatchObject({ kind: 'runner', package: { registry: 'pypi' } });
  expect(run('pipx run acme-tool==1.0').kind).toBe('none');
});

test('uv builds nothing unless scripts are allowed, and takes the package by its checksum first', () => {
  const wheels = ['--only-binary', ':all:'];
  const [venv, own, rest] = uvSteps({ name: 'acme', version: '1.0', scripts: false });
  expect(venv).toContain('--relocatable');
  expect(own).toEqual(expect.arrayContaining([...wheels, '--no-deps', '--require-hashes']));
  expect(rest).toEqual(expect.arrayContaining([...wheels, 'acme==1.0']));
  expect(uvSteps({ name: 'acme', version: '1.0', scripts: true }).flat()).not.toContain('--only-binary');
});

test('the folder of a package is one name, whatever the package is called', () => {
  const names = ['@acme/tool', '../../etc', '/etc/passwd', 'a'.repeat(5_000), '..', 'x\0y', 'Tool', 'tool'];
  const folders = names.map((name) => folderName({ ...ACME, name, integrity: 'sha512-a' }));
  expect(new Set(folders).size).toBe(names.length);
  for (const folder of folders) {
    expect(folder).toMatch(/^npm-[\w.@+~-]+$/);
    expect(folder.length).toBeLessThan(200);
  }
});

test.each([
  ['>=18', 'v20.1.0', true],
  ['>=22', 'v20.20.2', false],
  ['^20.19.0 || >=22.12.0', 'v20.20.2', true],
  ['^20.19.0 || >=22.12.0', 'v22.1.0', false],
  ['18.x', 'v18.4.0', true],
  ['18.x || 20.x', 'v19.0.0', false],
  ['>=18 <21', 'v21.0.0', false],
  ['>= 18.0.0', 'v18.0.0', true],
  ['~20.1', 'v20.2.0', false],
  ['18 - 20', 'v20.9.0', true],
  ['20', 'v20.9.0', true],
  ['*', 'v8.0.0', true],
  ['lts', 'v8.0.0', true],
])('engines “%s” and Node %s: %s', (range, version, fits) => {
  expect(fitsEngines(range, version)).toBe(fits);
});
