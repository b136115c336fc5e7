import { startForwarder, type Forwarder } from './forwarder.ts';
import { startHttpFixture, stdioCommand } from './fixture-process.ts';
import { startGateway } from './gateway-process.ts';
import { explainScenario, runRequirements, type ScenarioOutcome } from './suite.ts';

const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

const SERVER_USAGE = `npm run conformance -- server [WHERE] [FIXTURE] [SCENARIO…]
  The official suite, both frozen requirement sets, against a server behind the gateway.
  WHERE    (nothing)        one server alone, /mcp/s
           --all            among all servers, /mcp; its prefixes are taken off before the suite sees them
           --direct         without the gateway
  FIXTURE  (nothing)        this repository's, as a child of the hub
           --http           the same, by its address
           --fixture URL    any server that runs; only scenarios that it passes directly must pass
  With scenarios, what the suite says about each of them.`;

interface Way {
  readonly direct: boolean;
  readonly all: boolean;
  readonly fixture: 'stdio' | 'http' | { readonly url: string };
  readonly scenarios: readonly string[];
}

/** There is no list of expected failures: what fails through the gateway must fail directly, too. */
export async function runServerSide(words: readonly string[]): Promise<boolean> {
  const way = readWay(words);
  if (!way) {
    console.log(SERVER_USAGE);
    return words.includes('--help');
  }
  await using started = new AsyncDisposableStack();
  const url = await endpoint(way, started);
  // Awaited here, or the gateway ends before the suite has begun.
  if (way.scenarios.length > 0) return await explain(url, way.scenarios);
  let passed = true;
  for (const revision of REVISIONS) {
    const given = typeof way.fixture === 'object' && !way.direct ? way.fixture.url : undefined;
    const directly = given === undefined ? undefined : await runRequirements(given, revision);
    passed = report(revision, await runRequirements(url, revision), directly) && passed;
  }
  return passed;
}

function readWay(words: readonly string[]): Way | undefined {
  const at = words.indexOf('--fixture');
  const url = at < 0 ? undefined : words[at + 1];
  const rest = words.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const flags = new Set(rest.filter((word) => word.startsWith('--')));
  if ([...flags].some((flag) => !FLAGS.has(flag)) || (at >= 0 && !URL.canParse(url ?? ''))) return undefined;
  return {
    direct: flags.has('--direct'),
    all: flags.has('--all'),
    fixture: url === undefined ? (flags.has('--http') ? 'http' : 'stdio') : { url },
    scenarios: rest.filter((word) => !word.startsWith('--')),
  };
}

const FLAGS = new Set(['--direct', '--all', '--http']);

async function endpoint(way: Way, started: AsyncDisposableStack): Promise<string> {
  const fixture =
    typeof way.fixture === 'object'
      ? way.fixture.url
      : way.fixture === 'http' || way.direct
        ? started.use(await startHttpFixture()).url
        : undefined;
  if (way.direct && fixture !== undefined) return fixture;
  const entry = fixture === undefined ? ['--', ...stdioCommand] : [fixture];
  return started.use(await startBehindGateway(entry, way)).url;
}

/** The suite's way to a server behind the gateway: an address, or `--` and a command. */
export async function startBehindGateway(
  entry: readonly string[],
  { all }: { readonly all: boolean },
): Promise<Forwarder> {
  await using started = new AsyncDisposableStack();
  const { url, token } = started.use(await startGateway(entry));
  const { origin } = new URL(url);
  const front = all
    ? await startForwarder(`${origin}/mcp?mode=all`, token, 'fixture')
    : await startForwarder(url, token);
  started.use(front);
  const resources = started.move();
  return { url: front.url, [Symbol.asyncDispose]: () => resources.disposeAsync() };
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

function report(
  revision: string,
  outcomes: readonly ScenarioOutcome[],
  directly: readonly ScenarioOutcome[] | undefined,
): boolean {
  const able = directly && new Set(directly.filter(({ passed }) => passed).map(({ scenario }) => scenario));
  const isOurs = ({ scenario }: ScenarioOutcome): boolean => able?.has(scenario) ?? true;
  const required = outcomes.filter((outcome) => outcome.required);
  const failed = required.filter((outcome) => !outcome.passed && isOurs(outcome));
  const passed = required.filter((outcome) => outcome.passed).length;
  const beside = able ? ` (${required.filter(isOurs).length} directly)` : '';
  console.log(`\nRequired by ${revision}: ${passed} passed${beside}, ${failed.length} failed`);
  for (const outcome of outcomes.filter((each) => !each.passed)) {
    const word = !isOurs(outcome) ? 'no, nor directly' : outcome.required ? 'FAIL' : 'no, not required';
    console.log(`  ${word}  ${outcome.scenario}${outcome.checks.length === 0 ? ': it did not run' : ''}`);
    if (outcome.required && isOurs(outcome)) explainChecks(outcome);
  }
  return failed.length === 0 && required.length > 0;
}

function explainChecks({ checks }: ScenarioOutcome): void {
  for (const { id, status, errorMessage } of checks) {
    if (status === 'FAILURE') console.log(`        ${id}: ${errorMessage ?? 'no reason given'}`);
  }
}
