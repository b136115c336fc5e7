import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCommand, splitPath } from './find-command.ts';

let folder = '';
const find = (command: string, path = join(folder, 'on-path')): Promise<string> =>
  findCommand({ command, cwd: folder, path, home: folder, platform: 'linux' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-find-'));
  for (const file of ['on-path/here', '.volta/bin/elsewhere', '.nvm/versions/node/v24.1.0/bin/npx', 'tool']) {
    const path = join(folder, file);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
  }
  await writeFile(join(folder, 'on-path/plain'), 'not a program');
  await mkdir(join(folder, 'on-path/folder'));
});

afterAll(() => rm(folder, { recursive: true }));

test('a command is found on the PATH as an absolute path', async () => {
  expect(await find('here')).toBe(join(folder, 'on-path/here'));
});

test('a command with a slash starts from the working folder, and with a tilde from home', async () => {
  expect(await find('./tool')).toBe(join(folder, 'tool'));
  expect(await find('~/tool')).toBe(join(folder, 'tool'));
});

test('a missing command says where it was looked for', async () => {
  await expect(find('nothing-like-it')).rejects.toMatchObject({
    code: 'missing_command',
    owner: 'you',
    message: "nothing-like-it isn't installed.",
    details: { looked: expect.arrayContaining([join(folder, 'on-path')]) },
    next: 'Install it, or give its full path as “command”.',
  });
});

test('a command that is only in a well-known folder is named with its place', async () => {
  for (const [command, place] of [
    ['elsewhere', '.volta/bin/elsewhere'],
    ['npx', '.nvm/versions/node/v24.1.0/bin/npx'],
  ] as const) {
    await expect(find(command)).rejects.toMatchObject({
      code: 'missing_command',
      message: expect.stringContaining(join(folder, place)),
      next: expect.stringContaining(join(folder, place)),
    });
  }
});

test('a file that may not be executed is not a command', async () => {
  await expect(find('plain')).rejects.toMatchObject({ code: 'missing_command' });
  await expect(find('folder')).rejects.toMatchObject({ code: 'missing_command' });
  await expect(find('./on-path/plain')).rejects.toMatchObject({ next: expect.stringContaining('chmod +x') });
});

test('the current folder is never searched, whatever the PATH says', () => {
  expect(splitPath(':.:/usr/bin:relative:/usr/bin', 'linux')).toEqual(['/usr/bin']);
});

test('on Windows the endings of PATHEXT are tried', async () => {
  await writeFile(join(folder, 'on-path/batch.cmd'), '');
  await chmod(join(folder, 'on-path/batch.cmd'), 0o755);
  const options = { cwd: folder, path: join(folder, 'on-path'), home: folder, pathExt: '.EXE;.CMD' };
  // The delimiter of Windows would split nothing here; one folder is enough for the endings.
  expect(await findCommand({ ...options, command: 'batch', platform: 'win32' })).toBe(
    join(folder, 'on-path/batch.cmd'),
  );
});
