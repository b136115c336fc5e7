import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Contender,
  echoCommand,
  end,
  file,
  freePort,
  httpContender,
  legacyTarget,
} from './gateway-contenders.ts';

const START_MS_MAX = 30_000;
const LOOK_MS = 200;

/** Other gateways, as their own documents say to start them; the newest that are installed. */
export const peers: readonly ((home: string) => Promise<Contender>)[] = [
  startSupergateway,
  startMcpProxy,
  startMcporter,
];

async function startSupergateway(home: string): Promise<Contender> {
  const port = await freePort();
  // It cannot be told an address to listen on.
  const node = ['--import', file('gateway-loopback.ts')];
  const argv = ['--stdio', echoCommand.join(' '), '--outputTransport', 'streamableHttp', '--stateful'];
  const quiet = ['--port', String(port), '--logLevel', 'none'];
  const child = start(home, [...node, program('supergateway/dist/index.js'), ...argv, ...quiet]);
  return whenReady('supergateway', port, '/mcp', [child]);
}

async function startMcpProxy(home: string): Promise<Contender> {
  const port = await freePort();
  const argv = ['--host', '127.0.0.1', '--port', String(port), '--', ...echoCommand];
  const child = start(home, [program('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...argv]);
  return whenReady('mcp-proxy', port, '/mcp', [child]);
}

/** Its servers live in a daemon; what it serves comes from there, so that both count. */
async function startMcporter(home: string): Promise<Contender> {
  const port = await freePort();
  const config = join(home, 'mcporter.json');
  const [command, ...args] = echoCommand;
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { echo: { command, args, lifecycle: 'keep-alive' } }, imports: [] }),
  );
  const own = [program('mcporter/dist/cli.js'), '--config', config];
  const daemon = start(home, [...own, 'daemon', 'start', '--foreground']);
  await sleep(2_000);
  const serve = start(home, [...own, 'serve', '--http', String(port)]);
  return whenReady('mcporter', port, '/mcp/echo', [daemon, serve]);
}

function program(path: string): string {
  return file(`../node_modules/${path}`);
}

function start(home: string, argv: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: home };
  return spawn(process.execPath, argv, { cwd: home, env, stdio: 'ignore' });
}

/** Whoever does not get ready is ended, and the last reason is told. */
async function whenReady(
  name: string,
  port: number,
  path: string,
  children: readonly ChildProcess[],
): Promise<Contender> {
  let last: unknown;
  for (const deadline = performance.now() + START_MS_MAX; performance.now() < deadline;) {
    try {
      const contender = httpContender(name, await legacyTarget(port, path), children);
      const [lane] = await contender.lanes(1);
      await lane?.call(999_999_999);
      return contender;
    } catch (error) {
      last = error;
      if (children.some(({ exitCode }) => exitCode !== null)) break;
      await sleep(LOOK_MS);
    }
  }
  for (const child of children.toReversed()) await end(child);
  throw new Error(`${name} is broken: ${String(last)}`);
}
