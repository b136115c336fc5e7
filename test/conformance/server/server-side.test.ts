import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { verifies } from '../../requirements.ts';
import { startHttpFixture, stdioCommand } from './fixture-process.ts';
import { startBehindGateway } from './server-side.ts';
import { runRequirements, type ScenarioOutcome } from './suite.ts';

const SUITE_MS_MAX = 180_000;

/** How many scenarios each revision requires of a server, so that none is lost unnoticed. */
const REQUIRED = { '2026-07-28': 37, '2025-11-25': 30 } as const;

verifies(
  ['G5'],
  'the official suite finds nothing wrong with a local server behind the gateway, in both revisions',
  async () => {
    await using front = await startBehindGateway(['--', ...stdioCommand], { all: false });
    await expectAllRequired(front.url);
  },
  SUITE_MS_MAX,
);

verifies(
  ['G5'],
  'the official suite finds nothing wrong with a remote server behind the gateway, in both revisions',
  async () => {
    await using fixture = await startHttpFixture();
    await using front = await startBehindGateway([fixture.url], { all: false });
    await expectAllRequired(front.url);
  },
  SUITE_MS_MAX,
);

verifies(
  ['G5', 'G1'],
  'the official suite finds nothing wrong with a server among all others but its prefix, in both revisions',
  async () => {
    await using front = await startBehindGateway(['--', ...stdioCommand], { all: true });
    await expectAllRequired(front.url);
  },
  SUITE_MS_MAX,
);

test(
  'the fixture itself passes the official suite, so that a failure behind the gateway is the gateway’s',
  async () => {
    await using fixture = await startHttpFixture();
    await expectAllRequired(fixture.url);
  },
  SUITE_MS_MAX,
);

test('the fixture speaks both eras over stdio', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  expect(await firstAnswer({ method: 'initialize', params })).toMatchObject({
    result: { protocolVersion: '2025-11-25', serverInfo: { name: 'conformance-fixture' } },
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect(await firstAnswer({ method: 'server/discover', params: { _meta: meta } })).toMatchObject({
    result: { supportedVersions: ['2026-07-28'] },
  });
});

async function expectAllRequired(url: string): Promise<void> {
  for (const [revision, count] of Object.entries(REQUIRED)) {
    const required = (await runRequirements(url, revision)).filter((outcome) => outcome.required);
    expect(required.filter(({ passed }) => !passed).map(shown)).toEqual([]);
    expect(required).toHaveLength(count);
  }
}

/** What the suite says about a scenario that failed. */
function shown({ scenario, checks }: ScenarioOutcome): readonly unknown[] {
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  return [scenario, ...failures.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`)];
}

async function firstAnswer(message: Readonly<Record<string, unknown>>): Promise<unknown> {
  const [command = '', ...args] = stdioCommand;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  child.stdin.end();
  await exited;
  return JSON.parse(line) as unknown;
}
