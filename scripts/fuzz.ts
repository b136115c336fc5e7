import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `npm run fuzz [-- RUNS [SEED]]`: random inputs, 20,000 unless told otherwise, at each door and parser
 * that outsiders reach. With the same seed they are the same. Also all rounds of the searches of which
 * the tests run a share (test/suite/share-of.ts).
 */
const SEARCHES = [
  'fuzz',
  'test/contracts/vault-crash',
  'test/attacks/06-killed-hub',
  'test/scenarios/exact-numbers',
];

const [runs = '20000', seed = '20261117'] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(`${root}node_modules/.bin/vitest`, ['run', ...SEARCHES], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PLUG_FUZZ_RUNS: runs, PLUG_FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
