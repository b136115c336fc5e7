import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { firstSteps, ownCommand } from './own-command.ts';

/** A program as it lies in a clone, or as npm installs it: without the sources. */
function layOut(kind: 'clone' | 'installed'): { readonly root: string; readonly program: string } {
  const root = temporaryFolder();
  const program = join(root, 'dist', 'bin.js');
  mkdirSync(join(root, 'dist'));
  writeFileSync(program, '');
  if (kind === 'clone') {
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src', 'bin.ts'), '');
  }
  return { root, program };
}

function linkedInto(folder: string, program: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(folder, 'plug'));
  return folder;
}

test('an installed plug is typed as plug', () => {
  const { program } = layOut('installed');
  expect(ownCommand({ cwd: temporaryFolder(), env: { PATH: '/nowhere' } }, program)).toBe('plug');
});

test('in a clone it is typed with npx, also while npm has put the clone on the PATH', () => {
  const { root, program } = layOut('clone');
  const PATH = linkedInto(join(root, 'node_modules', '.bin'), program);
  expect(ownCommand({ cwd: root, env: { PATH } }, program)).toBe('npx plug');
  expect(ownCommand({ cwd: join(root, 'dist'), env: {} }, program)).toBe('npx plug');
});

test('a clone that is linked into the PATH is typed as plug, another plug there is not it', () => {
  const { root, program } = layOut('clone');
  const PATH = linkedInto(join(temporaryFolder(), 'bin'), program);
  expect(ownCommand({ cwd: root, env: { PATH } }, program)).toBe('plug');
  const other = linkedInto(join(temporaryFolder(), 'bin'), layOut('installed').program);
  expect(ownCommand({ cwd: root, env: { PATH: other } }, program)).toBe('npx plug');
});

test('outside of the clone npx would fetch somebody else’s package, so the file is named', () => {
  const { program } = layOut('clone');
  expect(ownCommand({ cwd: temporaryFolder(), env: {} }, program)).toBe(`node ${program}`);
});

test('the first steps are written as they are typed', () => {
  const commands = firstSteps('npx plug').filter((line) => line.startsWith('  '));
  expect(commands).toHaveLength(5);
  for (const line of commands) expect(line).toMatch(/^ {2}npx plug (open$|(add|tools|call) )/);
});
