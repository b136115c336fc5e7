import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { runServerSide } from './server/server-side.ts';

/**
 * Runs the official conformance suite, both frozen requirement sets: `npm run conformance -- client
 * [SCENARIO…]`, or `-- server …` for the gateway (`-- server --help`). The client runs one
 * process per scenario, two at a time, because the machine may be small. Of the extensions, those
 * that we offer must pass as well; the others are run and shown.
 */
const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = `${root}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
const OFFERED_EXTENSIONS = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/enterprise-managed-authorization',
];
const SHOWN_EXTENSIONS = ['auth/dpop', 'auth/dpop-nonce', 'auth/wif-jwt-bearer'];
const EXTENSIONS: ReadonlySet<string> = new Set([...OFFERED_EXTENSIONS, ...SHOWN_EXTENSIONS]);
/** Servers of 2025-03-26, which publish nothing about themselves: in no frozen set, but promised. */
const OLDER = ['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback'];

interface Scenario {
  readonly group: string;
  readonly revision: string;
  readonly scenario: string;
  /** One that only shows how far we are fails without a consequence. */
  readonly counts: boolean;
}

interface Outcome extends Scenario {
  readonly passed: boolean;
  readonly checks: string;
  readonly text: string;
}

const [side = 'client', ...only] = process.argv.slice(2);
const work: Scenario[] = [];
const outcomes: Outcome[] = [];
if (side === 'client') await runClientSide();
else if (side === 'server') process.exitCode = (await runServerSide(only)) ? 0 : 1;
else {
  console.error(`There is no ${side} side; run: npm run conformance -- client, or: -- server`);
  process.exitCode = 2;
}

async function runClientSide(): Promise<void> {
  for (const revision of REVISIONS) {
    const add = (group: string, scenarios: readonly string[], counts: boolean): void => {
      for (const scenario of scenarios) work.push({ group, revision, scenario, counts });
    };
    add(`Required by ${revision}`, await required(revision), true);
    add(`Extensions, ${revision}`, OFFERED_EXTENSIONS, true);
    add(`Extensions, shown only, ${revision}`, SHOWN_EXTENSIONS, false);
  }
  for (const scenario of OLDER) {
    work.push({ group: 'Older servers', revision: '2025-03-26', scenario, counts: true });
  }
  if (only.length > 0) work.splice(0, work.length, ...work.filter(({ scenario }) => only.includes(scenario)));
  await Promise.all([worker(), worker()]);
  report();
}

async function worker(): Promise<void> {
  for (let next = work.shift(); next; next = work.shift()) outcomes.push(await runScenario(next));
}

/** The client scenarios that a revision requires, as the suite itself lists them. */
async function required(revision: string): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [suite, 'list', '--requirements', revision]);
  const clients = stdout.slice(stdout.indexOf('Client scenarios')).split('Run and reported')[0] ?? '';
  return [...clients.matchAll(/^ {2}- (\S+)$/gm)].map((match) => String(match[1]));
}

async function runScenario(work: Scenario): Promise<Outcome> {
  const { revision, scenario } = work;
  const command = `${process.execPath} ${root}test/conformance/client.ts`;
  const args = [suite, 'client', '--command', command, '--scenario', scenario, '--spec-version', revision];
  // Extensions stand beside the revisions of the specification: the suite wants to be told twice.
  if (EXTENSIONS.has(scenario)) args.push('--force');
  const { text, ok } = await run(process.execPath, args, { cwd: root, timeout: 120_000 }).then(
    ({ stdout, stderr }) => ({ text: stdout + stderr, ok: true }),
    (error: { stdout?: string; stderr?: string }) => ({
      text: `${error.stdout ?? ''}${error.stderr ?? ''}`,
      ok: false,
    }),
  );
  const checks = /Passed: (\d+\/\d+)/.exec(text)?.[1] ?? '0/0';
  return {
    ...work,
    checks,
    text,
    passed: ok && text.includes('OVERALL: PASSED') && checks !== '0/0',
  };
}

function report(): void {
  const groups = Object.groupBy(outcomes, ({ group }) => group);
  for (const [group, own = []] of Object.entries(groups).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`\n${group}`);
    for (const outcome of own.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1))) {
      const word = outcome.passed ? 'pass' : outcome.counts ? 'FAIL' : 'no';
      console.log(`  ${word.padEnd(6)}${outcome.scenario.padEnd(46)}${outcome.checks} checks`);
    }
  }
  const counted = outcomes.filter(({ counts }) => counts);
  const failed = counted.filter(({ passed }) => !passed);
  for (const { scenario, revision, text } of failed) console.log(`\n--- ${scenario} (${revision})\n${text}`);
  console.log(`\n${counted.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 && counted.length > 0 ? 0 : 1;
}
