import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { printProofs } from './print-proofs.ts';

/**
 * `npm test`: everything that must hold, in the order in which a failure is cheapest. Steps that
 * only read run beside each other; each prints what it said when it has ended.
 */
type Step = readonly [name: string, command: string, ...args: string[]];

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = `${root}node_modules/.bin/`;
const READING: readonly Step[] = [
  ['format', `${bin}oxfmt`, '--check'],
  ['types', `${bin}tsc`, '--noEmit'],
  ['types of the page', `${bin}tsc`, '--noEmit', '-p', 'web'],
  ['lint', `${bin}oxlint`, '--deny-warnings'],
  ['dead code', `${bin}knip`],
];
const BUILD: Step = ['build', process.execPath, 'scripts/build.ts', '--if-changed'];
const REPORT = `${root}node_modules/.vitest/last-run.json`;
const TESTS: Step = [
  'tests',
  `${bin}vitest`,
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${REPORT}`,
  ...process.argv.slice(2),
];

const failed = (await Promise.all(READING.map((step) => run(step, 'pipe')))).find((code) => code !== 0);
if (failed !== undefined) process.exit(failed);
for (const step of [BUILD, TESTS]) {
  const code = await run(step, 'inherit');
  if (code !== 0) process.exit(code);
}
// Some files alone prove too little to tell.
if (process.argv.length === 2) {
  console.log('\n── requirements');
  printProofs(REPORT);
}

async function run([name, command, ...args]: Step, output: 'pipe' | 'inherit'): Promise<number> {
  if (output === 'inherit') console.log(`\n── ${name}`);
  const started = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', output, output] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const code = await once(child, 'close').then(
    ([status]) => (status as number | null) ?? 1, // as Node describes the event; null after a signal
    (error: unknown) => {
      said += String(error);
      return 1;
    },
  );
  if (output === 'pipe') process.stdout.write(`\n── ${name}\n${said}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(code === 0 ? `   ${name} passed in ${seconds} s` : `\n${name} failed.`);
  return code;
}
