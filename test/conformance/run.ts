import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

/**
 * Runs the official conformance suite: `npm run conformance -- client`. Both frozen requirement
 * sets, one process per scenario, two at a time, because the machine may be small.
 */
const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = `${root}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

interface Outcome {
  readonly revision: string;
  readonly scenario: string;
  readonly passed: boolean;
  readonly checks: string;
  readonly text: string;
}

const [side = 'client'] = process.argv.slice(2);
if (side !== 'client') {
  console.error(`There is no ${side} side yet; run: npm run conformance -- client`);
  process.exit(2);
}

const work: { revision: string; scenario: string }[] = [];
for (const revision of REVISIONS) {
  for (const scenario of await required(revision)) work.push({ revision, scenario });
}
const outcomes: Outcome[] = [];
await Promise.all([worker(), worker()]);
report();

async function worker(): Promise<void> {
  for (let next = work.shift(); next; next = work.shift()) outcomes.push(await runScenario(next));
}

/** The client scenarios that a revision requires, as the suite itself lists them. */
async function required(revision: string): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [suite, 'list', '--requirements', revision]);
  const clients = stdout.slice(stdout.indexOf('Client scenarios')).split('Run and reported')[0] ?? '';
  return [...clients.matchAll(/^ {2}- (\S+)$/gm)].map((match) => String(match[1]));
}

async function runScenario({ revision, scenario }: { revision: string; scenario: string }): Promise<Outcome> {
  const command = `${process.execPath} ${root}test/conformance/client.ts`;
  const args = [suite, 'client', '--command', command, '--scenario', scenario, '--spec-version', revision];
  const { text, ok } = await run(process.execPath, args, { cwd: root, timeout: 120_000 }).then(
    ({ stdout, stderr }) => ({ text: stdout + stderr, ok: true }),
    (error: { stdout?: string; stderr?: string }) => ({
      text: `${error.stdout ?? ''}${error.stderr ?? ''}`,
      ok: false,
    }),
  );
  const checks = /Passed: (\d+\/\d+)/.exec(text)?.[1] ?? '0/0';
  return {
    revision,
    scenario,
    checks,
    text,
    passed: ok && text.includes('OVERALL: PASSED') && checks !== '0/0',
  };
}

function report(): void {
  const failed: Outcome[] = [];
  for (const revision of REVISIONS) {
    const own = outcomes.filter((outcome) => outcome.revision === revision);
    console.log(`\nRequired by ${revision}`);
    for (const outcome of own.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1))) {
      const word = outcome.passed ? 'pass' : 'FAIL';
      console.log(`  ${word.padEnd(6)}${outcome.scenario.padEnd(46)}${outcome.checks} checks`);
      if (!outcome.passed) failed.push(outcome);
    }
  }
  for (const outcome of failed)
    console.log(`\n--- ${outcome.scenario} (${outcome.revision})\n${outcome.text}`);
  console.log(`\n${outcomes.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 && outcomes.length > 0 ? 0 : 1;
}
