import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Contender,
  echoCommand,
  end,
  httpContender,
  legacyTarget,
  stdioContender,
} from './gateway-contenders.ts';
import { modernCall } from './gateway-load.ts';
import { StdioHost } from './gateway-stdio-lane.ts';
import { bin, plug, product } from './product.ts';

export interface OurGateway extends AsyncDisposable {
  readonly hubPid: number;
  readonly http: Contender;
  /** The same in a session of an older host, as the peers are measured. */
  readonly session: Contender;
  readonly stdio: Contender;
  /** Whether the last calls were recorded: a gateway that does not do its work would be fast. */
  isRecorded(): boolean;
}

/** A hub that decides and records as shipped, but for a rule that lets the echo through unasked. */
export async function startOurGateway(
  home: string,
  nodeOptions: readonly string[] = [],
  program = bin,
): Promise<OurGateway> {
  await using started = new AsyncDisposableStack();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const rules = { defaults: { call: { read: 'allow', write: 'allow', unknown: 'allow' } } };
  writeFileSync(join(home, 'rules.json'), JSON.stringify(rules), { mode: 0o600 });
  const env = { PATH: process.env['PATH'], HOME: home, PLUG_HOME: home };
  // As `plug` itself starts a hub.
  const { hubNodeOptions, hubEnvironment } =
    await product<typeof import('../src/daemon/spawn-hub.ts')>('daemon/spawn-hub');
  const argv = [...hubNodeOptions, ...nodeOptions, program, '--json', 'hub', 'start', '--foreground'];
  const hub = spawn(process.execPath, argv, {
    cwd: home,
    env: { ...hubEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.defer(() => end(hub));
  const [line] = (await once(createInterface({ input: hub.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string }; // as documented
  plug(home, 'add', 'echo', '--yes', '--', ...echoCommand);
  const port = Number(new URL(url).port);
  const { token } = JSON.parse(plug(home, '--json', 'host', 'add', 'bench')) as { token: string }; // as documented
  const authorization = `Bearer ${token}`;
  const path = '/mcp/s/echo';
  const modern = {
    authorization,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  };
  const hubPid = hub.pid ?? 0;
  const http = counting(httpContender('plug', { port, path, headers: modern, body: modernCall }, []), hubPid);
  started.use(http);
  const target = await legacyTarget(port, path, { authorization });
  const session = started.use(counting(httpContender('plug, in a session', target, []), hubPid));
  const bridge = new StdioHost([process.execPath, bin, 'gateway', '--server', 'echo'], { cwd: home, env });
  const stdio = started.use(stdioContender('plug', bridge, [hubPid]));
  const resources = started.move();
  return {
    hubPid,
    http,
    session,
    stdio,
    isRecorded: () => plug(home, 'audit', '--json', '--limit', '1').includes('"echo"'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function counting(contender: Contender, pid: number): Contender {
  return { ...contender, pids: [pid] };
}
