import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_FROM, builtFrom } from './built-from.ts';
import { bundleProgram } from './bundle-program.ts';

/**
 * Compiles `src` into `dist`, joins the command line's modules there, and builds `web` into `dist/web`.
 * The old `dist` stays whole until the new one is complete. With `--if-changed` nothing is done where
 * `dist` was built from these very files, as `npm ci` leaves it for `npm test`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
// On the same disk as dist, so that a rename is enough, and where no tool looks for sources.
const next = `${root}node_modules/.plugboard-build-${process.pid}`;
const old = `${next}-old`;
const dist = `${root}dist`;
const link = `${root}node_modules/.bin/plug`;
const from = builtFrom(root);
const stamp = `${dist}/${BUILT_FROM}`;
if (process.argv.includes('--if-changed') && existsSync(stamp) && readFileSync(stamp, 'utf8') === from) {
  process.stdout.write('dist is built from these sources.\n');
  process.exit(0);
}

/** Of what the page carries of others. */
const LICENSES = {
  geist: '@fontsource-variable/geist/LICENSE',
  'simple-icons': 'simple-icons/LICENSE.md',
  temml: 'temml/LICENSE',
};

try {
  const tsc = spawnSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json', '--outDir', next],
    { cwd: root, stdio: 'inherit' },
  );
  if (tsc.status === 0) {
    await bundleProgram(next);
    buildPage();
    chmodSync(`${next}/bin.js`, 0o755);
    writeFileSync(`${next}/${BUILT_FROM}`, from);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(next, dist);
    // `npx plug` in a clone then finds this very build, without asking any registry.
    rmSync(link, { force: true });
    symlinkSync('../../dist/bin.js', link);
    process.stdout.write('Built dist.\n');
  } else {
    fail('tsc found mistakes.');
  }
} catch (error) {
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  rmSync(next, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}

function fail(why: string): void {
  process.stderr.write(`${why}\nThe build failed: dist is as it was.\n`);
  process.exitCode = 1;
}

/** The page stands beside what serves it. */
function buildPage(): void {
  const words = ['build', 'web', '--config', 'web/vite.config.ts', '--outDir', `${next}/web`];
  const vite = spawnSync(process.execPath, [`${root}node_modules/vite/bin/vite.js`, ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  if (vite.status !== 0) throw new Error('The page could not be built.');
  // What the page carries of others is given on under its own license.
  for (const [name, file] of Object.entries(LICENSES)) {
    cpSync(`${root}node_modules/${file}`, `${next}/web/${name}-license.txt`);
  }
}
