import { startForwarder } from './forwarder.ts';
import { startHttpFixture, stdioCommand } from './fixture-process.ts';
import { startGateway } from './gateway-process.ts';
import { explainScenario, runRequirements, type ScenarioOutcome } from './suite.ts';

const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

/**
 * The official suite against our fixture, through the gateway: `server [SCENARIO…]`, which runs the
 * fixture as the hub's child. With `--http` the hub reaches it by its address; `--direct` leaves the
 * gateway out, to show that the fixture itself is not at fault. There is no list of expected failures.
 */
export async function runServerSide(words: readonly string[]): Promise<boolean> {
  const scenarios = words.filter((word) => !word.startsWith('--'));
  await using started = new AsyncDisposableStack();
  const url = await endpoint(words, started);
  if (scenarios.length > 0) return explain(url, scenarios);
  let passed = true;
  for (const revision of REVISIONS) {
    passed = report(revision, await runRequirements(url, revision)) && passed;
  }
  return passed;
}

async function endpoint(words: readonly string[], started: AsyncDisposableStack): Promise<string> {
  if (words.includes('--direct')) return started.use(await startHttpFixture()).url;
  const fixture = words.includes('--http')
    ? [started.use(await startHttpFixture()).url]
    : ['--', ...stdioCommand];
  const { url, token } = started.use(await startGateway(fixture));
  return started.use(await startForwarder(url, token)).url;
}

async function explain(url: string, scenarios: readonly string[]): Promise<boolean> {
  let passed = true;
  for (const revision of REVISIONS) {
    for (const scenario of scenarios) {
      const { text, ok } = await explainScenario(url, revision, scenario);
      console.log(`\n--- ${scenario} (${revision})\n${text}`);
      passed = passed && ok;
    }
  }
  return passed;
}

function report(revision: string, outcomes: readonly ScenarioOutcome[]): boolean {
  const required = outcomes.filter((outcome) => outcome.required);
  const failed = required.filter(({ passed }) => !passed);
  console.log(
    `\nRequired by ${revision}: ${required.length - failed.length} passed, ${failed.length} failed`,
  );
  for (const outcome of outcomes.filter(({ passed }) => !passed)) {
    const word = outcome.required ? 'FAIL' : 'no, not required';
    console.log(`  ${word}  ${outcome.scenario}${outcome.checks.length === 0 ? ': it did not run' : ''}`);
    if (outcome.required) explainChecks(outcome);
  }
  return failed.length === 0 && required.length > 0;
}

function explainChecks({ checks }: ScenarioOutcome): void {
  for (const { id, status, errorMessage } of checks) {
    if (status === 'FAILURE') console.log(`        ${id}: ${errorMessage ?? 'no reason given'}`);
  }
}
