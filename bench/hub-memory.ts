import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hub } from '../src/hub/hub.ts';
import { report, type Figure } from './figure.ts';
import { SERVERS, TOOLS, writeKnownServers } from './known-servers.ts';
import { childrenOf, rssMb, wallOf } from './measure.ts';
import { plug, product, temporaryHome } from './product.ts';

/** What the hub holds at rest, and how soon it serves the tools over its socket. */
using home = temporaryHome();
await writeKnownServers(home.path);
const floor = await idleNodeMb();
plug(home.path, 'hub', 'start');
try {
  const { pid } = JSON.parse(plug(home.path, 'hub', 'status', '--json')) as { pid: number }; // documented
  const atRest = await settledMb(pid);
  plug(home.path, 'list', '--json');
  const afterList = await settledMb(pid);
  await using hub = await connect();
  await hub.status();
  const firstMs = await wallOf(() => listAll(hub));
  const nextMs = await wallOf(() => listAll(hub));
  const afterTools = await settledMb(pid);
  const memory = (name: string, measured: number): Figure => ({ name, unit: 'MB', measured, floor });
  report([
    { ...memory(`hub at rest, ${SERVERS} servers, ${TOOLS} tools`, atRest), target: { max: 100 } },
    { ...memory('the same after plug list', afterList), target: { max: 100 } },
    memory('the same after two lists of all tools', afterTools),
    {
      name: `first list of ${TOOLS} tools over the socket`,
      unit: 'ms',
      measured: firstMs,
      target: { max: 50 },
    },
    { name: 'the next list of them', unit: 'ms', measured: nextMs, target: { max: 50 } },
    {
      name: 'processes of a hub that only lists',
      unit: 'processes',
      measured: childrenOf(pid).length,
      target: { max: 0 },
    },
  ]);
} finally {
  plug(home.path, 'hub', 'stop');
}

/** A client of the hub's socket, with its code loaded: what counts is how soon the hub answers. */
async function connect(): Promise<Hub> {
  const { connectSocket } = await product<typeof import('../src/daemon/connect.ts')>('daemon/connect');
  const { connectHub } = await product<typeof import('../src/api/client.ts')>('api/client');
  const { systemClock } = await product<typeof import('../src/base/clock.ts')>('base/clock');
  const paths = { config: home.path, data: home.path, state: home.path };
  return connectHub(connectSocket(paths), { clock: systemClock });
}

async function listAll(hub: Hub): Promise<void> {
  const { tools } = await hub.tools.list();
  if (tools.length !== TOOLS) throw new Error(`The hub listed ${tools.length} tools.`);
}

/** Node that does nothing. */
async function idleNodeMb(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const mb = await settledMb(child.pid ?? 0);
  child.kill();
  await once(child, 'exit');
  return mb;
}

/** Memory once it stops moving: within half a megabyte for two seconds, or after ten. */
async function settledMb(pid: number): Promise<number> {
  let last = rssMb(pid);
  for (let look = 0, calm = 0; look < 20 && calm < 4; look += 1) {
    await sleep(500);
    const now = rssMb(pid);
    calm = Math.abs(now - last) < 0.5 ? calm + 1 : 0;
    last = now;
  }
  return last;
}
