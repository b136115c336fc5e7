import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `npm test`: everything that must hold, in the order in which a failure is cheapest. */
const root = fileURLToPath(new URL('..', import.meta.url));
const bin = `${root}node_modules/.bin/`;
const STEPS: readonly (readonly [string, string, ...string[]])[] = [
  ['format', `${bin}oxfmt`, '--check'],
  ['types', `${bin}tsc`, '--noEmit'],
  ['types of the page', `${bin}tsc`, '--noEmit', '-p', 'web'],
  ['lint', `${bin}oxlint`, '--deny-warnings'],
  ['dead code', `${bin}knip`],
  ['build', process.execPath, 'scripts/build.ts'],
  ['tests', `${bin}vitest`, 'run', ...process.argv.slice(2)],
];

for (const [name, command, ...args] of STEPS) {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) {
    console.error(`\n${name} failed.`);
    process.exit(status ?? 1);
  }
  console.log(`   ${name} passed in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
