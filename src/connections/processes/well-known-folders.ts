import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where installers put commands, often without adding them to the PATH. */
export async function wellKnownFolders(home: string): Promise<readonly string[]> {
  const folders = [...IN_HOME.map((folder) => join(home, folder)), ...(await nvmFolders(home)), ...SHARED];
  const there = await Promise.all(folders.map(isFolder));
  return folders.filter((_, index) => there[index]);
}

const IN_HOME = [
  '.local/bin bin .volta/bin .asdf/shims .local/share/mise/shims .local/share/fnm/aliases/default/bin',
  '.pyenv/shims .cargo/bin .bun/bin .deno/bin go/bin .dotnet/tools .local/share/pnpm Library/pnpm',
  '.nix-profile/bin',
].flatMap((folders) => folders.split(' '));

const SHARED =
  '/usr/local/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin /snap/bin /run/current-system/sw/bin'.split(
    ' ',
  );

/** nvm keeps a folder per version; the newest comes first. */
async function nvmFolders(home: string): Promise<readonly string[]> {
  const versions = join(home, '.nvm/versions/node');
  const names = await readdir(versions).catch((): string[] => []);
  return names
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(versions, name, 'bin'));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
