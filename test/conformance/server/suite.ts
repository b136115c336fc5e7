import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const SET_MS_MAX = 300_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface ScenarioOutcome {
  readonly scenario: string;
  /** Whether the revision requires it; the others are run and shown only. */
  readonly required: boolean;
  readonly passed: boolean;
  readonly checks: readonly Check[];
}

interface Told {
  readonly text: string;
  readonly ok: boolean;
}

/** Runs one frozen requirement set of the official suite against an MCP endpoint. */
export async function runRequirements(url: string, revision: string): Promise<readonly ScenarioOutcome[]> {
  const required = await requiredScenarios(revision);
  const folder = mkdtempSync(join(tmpdir(), 'plug-conformance-'));
  try {
    // Its exit code tells no more than its files do.
    await suite(['server', '--url', url, '--requirements', revision, '-o', folder]);
    const ran = readdirSync(folder).map((name) => ({
      scenario: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      checks: JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as readonly Check[], // its format
    }));
    const outcomes = ran.map(({ scenario, checks }) => ({
      scenario,
      checks,
      required: required.includes(scenario),
      passed: isPassed(checks),
    }));
    const missing = required.filter((scenario) => !ran.some((each) => each.scenario === scenario));
    return [
      ...outcomes,
      ...missing.map((scenario) => ({ scenario, required: true, passed: false, checks: [] })),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one scenario and answers what the suite says about it, for somebody who looks for a fault. */
export async function explainScenario(url: string, revision: string, scenario: string): Promise<Told> {
  return await suite(['server', '--url', url, '--scenario', scenario, '--spec-version', revision]);
}

function isPassed(checks: readonly Check[]): boolean {
  return (
    checks.some(({ status }) => status === 'SUCCESS') && !checks.some(({ status }) => status === 'FAILURE')
  );
}

/** The suite's own list, asked for once. */
function requiredScenarios(revision: string): Promise<readonly string[]> {
  const listed = LISTED.get(revision) ?? listRequired(revision);
  LISTED.set(revision, listed);
  return listed;
}

const LISTED = new Map<string, Promise<readonly string[]>>();

async function listRequired(revision: string): Promise<readonly string[]> {
  const { text } = await suite(['list', '--requirements', revision]);
  const servers = text.slice(text.indexOf('Server scenarios'), text.indexOf('Client scenarios'));
  const names = [...servers.matchAll(/^ {2}- (\S+)$/gm)].map((match) => String(match[1]));
  if (names.length === 0) throw new Error(`The suite requires nothing for ${revision}:\n${text}`);
  return names;
}

function suite(args: readonly string[]): Promise<Told> {
  return new Promise((resolve) => {
    const options = { timeout: SET_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ text: stdout + stderr, ok: error === null }),
    );
  });
}
