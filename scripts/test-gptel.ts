import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run test:gptel -- PATH…`: the tests of the Emacs package against a real gptel, with a scripted
 * model's whole conversation. Each PATH is a folder with gptel, transient, compat and what they need
 * somewhere below it, such as `~/.emacs.d/elpa`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const DEPTH = 3;
const folders = process.argv.slice(2).flatMap((path) => lispFolders(resolve(path), DEPTH));
const missing = ['gptel.el', 'transient.el', 'compat.el'].filter(
  (file) => !folders.some((folder) => existsSync(join(folder, file))),
);
if (missing.length > 0) {
  console.error(`Usage: npm run test:gptel -- PATH…\nNot found there: ${missing.join(', ')}`);
  process.exit(2);
}
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', 'test/emacs'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PLUG_TEST_GPTEL: folders.join('\n') },
});
process.exit(status ?? 1);

/** Every folder with Lisp in it, but for the tests of those packages. */
function lispFolders(folder: string, depth: number): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory() && !/^(\..*|tests?|docs?)$/.test(entry.name))
    .flatMap(({ name }) => (depth === 0 ? [] : lispFolders(join(folder, name), depth - 1)));
  return entries.some(({ name }) => name.endsWith('.el')) ? [folder, ...below] : below;
}
