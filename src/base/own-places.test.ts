import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { checkOwnContents, foreignPlace } from './own-places.ts';

const OTHER = 65_533;
const isRoot = process.getuid?.() === 0;

function folder(path: string, mode: number): string {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
}

test('a folder of ours that only we can write is ours, and so is one that is not there yet', () => {
  const top = temporaryFolder();
  expect(foreignPlace(folder(join(top, 'a'), 0o755))).toBeUndefined();
  expect(foreignPlace(join(top, 'none', 'deeper'))).toBeUndefined();
});

test('behind a folder that only we can enter, the modes of files do not matter', () => {
  const closed = folder(join(temporaryFolder(), 'closed'), 0o700);
  const file = join(closed, 'mcp.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o666);
  expect(foreignPlace(file)).toBeUndefined();
});

test('what others can write is refused where it stands, with the command that closes it', () => {
  const top = temporaryFolder();
  chmodSync(top, 0o755);
  const open = folder(join(top, 'open'), 0o777);
  expect(foreignPlace(open)).toMatchObject({
    path: open,
    remedy: { do: 'say', text: expect.stringContaining(`chmod 700 ${open}`) },
  });
  expect(foreignPlace(join(open, 'not-there-yet'))).toMatchObject({ path: open });
  // A shared folder in which each may remove only what is theirs is no danger to what is ours.
  chmodSync(open, 0o1777);
  expect(foreignPlace(folder(join(open, 'mine'), 0o755))).toBeUndefined();
  expect(foreignPlace(open)).toMatchObject({ path: open });
  const file = join(top, 'mcp.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o606);
  expect(foreignPlace(file)).toMatchObject({ path: file, remedy: { do: 'run', line: `chmod go-w ${file}` } });
});

test('links are followed to their end, and those that lead in circles end in a sentence', () => {
  const top = temporaryFolder();
  chmodSync(top, 0o755);
  const open = folder(join(top, 'open'), 0o777);
  folder(join(open, 'inner'), 0o755);
  symlinkSync(join(open, 'inner'), join(top, 'absolute'));
  symlinkSync('open/inner', join(top, 'relative'));
  for (const name of ['absolute', 'relative']) {
    expect(foreignPlace(join(top, name))).toMatchObject({ path: open });
  }
  symlinkSync('b', join(top, 'a'));
  symlinkSync('a', join(top, 'b'));
  expect(foreignPlace(join(top, 'a'))?.says).toContain('circles');
});

test.skipIf(!isRoot)(
  'what another user owns is refused: the place, a folder above, a link (needs root)',
  () => {
    const top = temporaryFolder();
    chmodSync(top, 0o755);
    const theirs = folder(join(top, 'theirs'), 0o755);
    chownSync(theirs, OTHER, OTHER);
    expect(foreignPlace(theirs)?.says).toContain(`uid ${OTHER}`);
    expect(foreignPlace(folder(join(theirs, 'mine'), 0o700))).toMatchObject({ path: theirs });
    symlinkSync(folder(join(top, 'mine'), 0o700), join(top, 'link'));
    lchownSync(join(top, 'link'), OTHER, OTHER);
    expect(foreignPlace(join(top, 'link'))).toMatchObject({ path: join(top, 'link') });
    // Also behind a closed door: the door may have been open when it was put there.
    const file = join(top, 'mine', 'rules.json');
    writeFileSync(file, '{}');
    chownSync(file, OTHER, OTHER);
    expect(foreignPlace(file)).toMatchObject({ path: file });
    const mine = join(top, 'mine');
    expect(() => checkOwnContents({ config: mine, data: mine, state: mine })).toThrow(file);
  },
);

test.skipIf(!isRoot)('a group counts as others, unless it is this user’s alone (needs root)', () => {
  const top = temporaryFolder();
  chmodSync(top, 0o755);
  const shared = folder(join(top, 'shared'), 0o775);
  chownSync(shared, 0, OTHER);
  expect(foreignPlace(shared)).toMatchObject({ path: shared });
});
