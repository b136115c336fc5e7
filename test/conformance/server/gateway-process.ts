import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compileCache } from '../../suite/compile-cache.ts';

const bin = fileURLToPath(new URL('../../../dist/bin.js', import.meta.url));
const RULES = {
  defaults: { call: { read: 'allow', write: 'allow', unknown: 'allow' } },
  secretsInResults: 'keep',
};

export interface RunningGateway extends AsyncDisposable {
  /** Where one server alone is served, under its own names. */
  readonly url: string;
  readonly token: string;
}

/** A hub in an empty home whose only server is `fixture`: an address, or `--` and a command. */
export async function startGateway(fixture: readonly string[]): Promise<RunningGateway> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'plug-conformance-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'plug');
  mkdirSync(home, { mode: 0o700 });
  // Nobody is there to be asked.
  writeFileSync(join(home, 'rules.json'), JSON.stringify(RULES), { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    PLUG_HOME: home,
    PLUG_NO_KEYRING: '1',
    PLUG_NO_FIRST_LOOKS: '1',
    ...compileCache,
  };
  const argv = [bin, '--json', 'hub', 'start', '--foreground'];
  const hub = spawn(process.execPath, argv, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(hub, 'close');
  started.defer(async () => {
    hub.kill('SIGTERM');
    await exited;
  });
  let log = '';
  hub.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-10_000)));
  const line = await Promise.race([
    once(createInterface({ input: hub.stdout }), 'line').then(([first]) => String(first)),
    exited.then(([code]) => Promise.reject(new Error(`The hub ended with ${String(code)}: ${log}`))),
  ]);
  const { url } = JSON.parse(line) as { url: string }; // as documented
  const plug = (...argv: readonly string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [bin, ...argv], { cwd: folder, env });
  await plug('add', 'fixture', '--yes', ...fixture);
  const added = await plug('--json', 'host', 'add', 'conformance');
  const resources = started.move();
  return {
    url: `${url}/mcp/s/fixture`,
    token: (JSON.parse(added.stdout) as { token: string }).token, // as documented
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
