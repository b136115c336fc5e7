import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { verifies } from '../../../test/requirements.ts';
import { openAnswerFile } from './answer.ts';

verifies(
  ['U2'],
  'an answer replaces the file in one step: its mode and links stay, and nothing else is left',
  async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'old.md'), 'old');
    chmodSync(join(cwd, 'old.md'), 0o640);
    symlinkSync('old.md', join(cwd, 'link.md'));
    const file = await openAnswerFile('link.md', 'prompt.md', cwd);
    expect(readFileSync(join(cwd, 'old.md'), 'utf8')).toBe('old');
    await file.write('new\n');
    expect(readFileSync(join(cwd, 'old.md'), 'utf8')).toBe('new\n');
    expect(statSync(join(cwd, 'old.md')).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(cwd, 'link.md')).isSymbolicLink()).toBe(true);
    await (await openAnswerFile('fresh.md', undefined, cwd)).write('x');
    expect(statSync(join(cwd, 'fresh.md')).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(readdirSync(cwd).toSorted()).toEqual(['fresh.md', 'link.md', 'old.md']);
  },
);

test('a file that cannot be written is refused before anything is asked', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'prompt.md'), 'p');
  linkSync(join(cwd, 'prompt.md'), join(cwd, 'same.md'));
  symlinkSync('prompt.md', join(cwd, 'link.md'));
  for (const [output, reason] of [
    ['prompt.md', /the prompt itself/],
    ['same.md', /the prompt itself/],
    ['./link.md', /the prompt itself/],
    ['folder', /it is a folder/],
    ['absent/a.md', /there is no folder absent/],
    ['prompt.md/a.md', /./],
  ] as const) {
    await expect(openAnswerFile(output, 'prompt.md', cwd), output).rejects.toMatchObject({
      code: 'usage',
      owner: 'you',
      message: expect.stringMatching(reason) as string,
    });
  }
  expect(readFileSync(join(cwd, 'prompt.md'), 'utf8')).toBe('p');
});
