import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { featuredServers } from '../src/servers/featured-table.ts';
import { realEnvironment } from '../test/real/environment.ts';
import type { FeaturedInput, FeaturedServer } from '../src/servers/featured.ts';

/**
 * `npm run real -- featured [NAME…]`: adds every npm server of the featured table by its name, with
 * the built product, the real registry and made-up keys, and says for each what happened. Those that
 * need no account must start; for the others a wrong key may be what the server complains about.
 */
const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
const [what, ...names] = process.argv.slice(2);
if (what !== 'featured' || !existsSync(bin)) {
  console.error(
    existsSync(bin) ? 'Usage: npm run real -- featured [NAME…]' : 'Not built: run npm run build first.',
  );
  process.exit(2);
}

const ADD_MS = 240_000;

interface Row {
  readonly name: string;
  readonly package: string;
  readonly needs: string;
  readonly seconds: string;
  readonly tools: string;
  readonly outcome: string;
}

const home = mkdtempSync(join(tmpdir(), 'plug-real-'));
const env = {
  ...realEnvironment(),
  PATH: process.env['PATH'],
  HOME: home,
  PLUG_HOME: join(home, 'plug'),
};

const servers = featuredServers.filter(
  ({ id, package: pack }) => pack?.registry === 'npm' && (names.length === 0 || names.includes(id)),
);
const rows: Row[] = [];
let failed = 0;
try {
  for (const server of servers) {
    const row = await tryServer(server);
    rows.push(row);
    console.error(`${row.name}: ${row.outcome}`);
  }
} finally {
  await plug(['hub', 'stop']);
  rmSync(home, { recursive: true, force: true });
}
print(rows);
console.log(`\n${rows.length} tried, ${failed} that need no account failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function tryServer({ id, package: pack }: FeaturedServer): Promise<Row> {
  const inputs = pack?.inputs ?? [];
  const needs = inputs.filter(({ kind }) => kind !== 'folders').map((input) => nameOf(input));
  const started = performance.now();
  const { code, stdout, stderr } = await plug(['add', id, '--yes', '--json', ...inputs.flatMap(givenFor)]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const listed = code === 0 ? await plug(['tools', id, '--json']) : undefined;
  const tools = listed ? (JSON.parse(listed.stdout) as { readonly tools: readonly unknown[] }).tools : [];
  if (code !== 0 && needs.length === 0) failed += 1;
  // They start Chromium or a program of their own only when called: stopped, they take no memory.
  if (code === 0) await plug(['stop', id]);
  return {
    name: id,
    package: pack?.name ?? '',
    needs: needs.join(', ') || 'no account',
    seconds,
    tools: code === 0 ? String(tools.length) : '–',
    outcome: code === 0 ? 'added' : reasonIn(stdout + stderr),
  };
}

function nameOf(input: FeaturedInput): string {
  return 'env' in input ? input.env : input.arg;
}

/** Made up, and of the form that each kind has. */
function givenFor(input: FeaturedInput): readonly string[] {
  const file = join(home, 'credentials.json');
  const installed = { client_id: 'made-up', client_secret: 'made-up', redirect_uris: ['http://localhost'] };
  writeFileSync(file, JSON.stringify({ installed }));
  const secret =
    input.what === 'Connection string' ? 'mongodb://127.0.0.1:9/trial' : 'made-up-key-for-a-trial';
  const values = { text: 'made-up', secret, file, folders: home };
  return [`${nameOf(input)}=${values[input.kind]}`];
}

/** The error's own sentence, in one line. */
function reasonIn(output: string): string {
  const start = output.indexOf('{');
  try {
    const { error } = JSON.parse(output.slice(Math.max(start, 0))) as { readonly error: { message: string } };
    return error.message.replaceAll(/\s+/g, ' ').slice(0, 160);
  } catch {
    return output.replaceAll(/\s+/g, ' ').slice(0, 160);
  }
}

async function plug(
  argv: readonly string[],
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill(), ADD_MS);
  const [code] = (await once(child, 'close')) as [number | null]; // what a child's close event carries
  clearTimeout(timer);
  return { code, ...said };
}

function print(table: readonly Row[]): void {
  const columns = ['name', 'package', 'needs', 'seconds', 'tools', 'outcome'] as const;
  const widths = columns.map((column) => Math.max(column.length, ...table.map((row) => row[column].length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(line(columns.map((column) => column.toUpperCase())));
  for (const row of table) console.log(line(columns.map((column) => row[column])));
}
