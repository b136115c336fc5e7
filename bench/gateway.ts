import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { report, type Figure } from './figure.ts';
import { type Contender, startFloorHttp, startFloorShared, startFloorStdio } from './gateway-contenders.ts';
import { drive } from './gateway-load.ts';
import { startOurGateway } from './gateway-ours.ts';
import { peers } from './gateway-peers.ts';
import { type Cost, runRounds, warmUp } from './gateway-rounds.ts';
import { rssMb } from './measure.ts';
import { temporaryHome } from './product.ts';

/**
 * What the gateway costs between a host and a server, beside a proxy written by hand and beside other
 * gateways, over HTTP and over stdio. `--million` makes a million calls before memory is looked at.
 */
const AT_ONCE = [1, 32] as const;
const ROUNDS = { rounds: 5, sampleMs: 800 };
const LONG_RUN_CALLS = process.argv.includes('--million') ? 1_000_000 : 100_000;

using home = temporaryHome();
await using started = new AsyncDisposableStack();
const ours = started.use(await startOurGateway(join(home.path, 'plug')));
const floorHttp = started.use(await startFloorHttp());
const floorStdio = started.use(startFloorStdio());
// What of the cost over stdio is that of sharing servers at all.
const floorShared = started.use(await startFloorShared(home.path));
const others = await startPeers();

await warmUp([floorHttp, ours.http, ours.session, ...others, floorStdio, floorShared, ours.stdio]);
const figures: Figure[] = [];
for (const atOnce of AT_ONCE) {
  const http = await runRounds([floorHttp, ours.http, ours.session, ...others], atOnce, ROUNDS);
  const stdio = await runRounds([floorStdio, floorShared, ours.stdio], atOnce, ROUNDS);
  show(`HTTP, ${atOnce} at once`, http);
  show(`stdio, ${atOnce} at once`, stdio);
  figures.push(...compare('HTTP', atOnce, http), ...compare('stdio', atOnce, stdio));
  if (atOnce === 32) figures.push(...besideBestPeer(http));
}
const longRun = await drive(await ours.http.lanes(32), { calls: LONG_RUN_CALLS });
if (!ours.isRecorded()) throw new Error('The calls are not in the audit log.');
console.error(`${longRun.calls} calls in ${(longRun.wallMs / 1000).toFixed(1)} s`);
figures.push({
  name: `hub after ${LONG_RUN_CALLS} more calls`,
  unit: 'MB',
  measured: rssMb(ours.hubPid),
  floor: rssMb(floorHttp.pids[0] ?? 0),
  target: { max: 150 },
});
report(figures);

/** A peer that does not start is named and left out; the others still compare. */
async function startPeers(): Promise<readonly Contender[]> {
  const running: Contender[] = [];
  for (const [index, start] of peers.entries()) {
    const own = join(home.path, `peer-${index}`);
    mkdirSync(own);
    try {
      running.push(started.use(await start(own)));
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return running;
}

/** CPU has a target for our own gateway; time has none, for it is mostly the server's and the driver's. */
function compare(front: string, atOnce: number, [floor, ...costs]: readonly Cost[]): readonly Figure[] {
  return costs.flatMap((cost): readonly Figure[] => {
    const name = `${cost.name} over ${front}, ${atOnce} at once`;
    const target = cost.name === 'plug' ? { target: { ratioMax: 1.5 } } : {};
    return [
      {
        name: `${name}: CPU a call`,
        unit: 'µs',
        measured: cost.cpuMicros,
        ...floorOf(floor?.cpuMicros),
        ...target,
      },
      { name: `${name}: p50`, unit: 'ms', measured: cost.p50Ms, ...floorOf(floor?.p50Ms) },
      {
        name: `${name}: time between answers`,
        unit: 'µs',
        measured: 1_000_000 / cost.callsPerSecond,
        ...floorOf(floor && 1_000_000 / floor.callsPerSecond),
      },
    ];
  });
}

/** 2.5 times the throughput is 0.4 of the time between two answers. */
function besideBestPeer(costs: readonly Cost[]): readonly Figure[] {
  const plug = costs.find(({ name }) => name === 'plug');
  const [best] = costs
    .filter(({ name }) => others.some((peer) => peer.name === name))
    .toSorted((a, b) => b.callsPerSecond - a.callsPerSecond);
  if (!plug || !best) return [];
  return [
    {
      name: `plug over HTTP, 32 at once: time between answers, floor: ${best.name}`,
      unit: 'µs',
      measured: 1_000_000 / plug.callsPerSecond,
      floor: 1_000_000 / best.callsPerSecond,
      target: { ratioMax: 0.4 },
    },
  ];
}

function floorOf(floor: number | undefined): { readonly floor?: number } {
  return floor === undefined ? {} : { floor };
}

function show(title: string, costs: readonly Cost[]): void {
  const rows = costs.map(
    ({ name, callsPerSecond, p50Ms, cpuMicros, rssMb: rss }) =>
      `  ${name.padEnd(20)}${callsPerSecond.toFixed(0).padStart(8)} calls/s  p50 ${p50Ms.toFixed(3).padStart(8)} ms  CPU ${cpuMicros.toFixed(0).padStart(6)} µs/call  RSS ${rss.toFixed(0).padStart(5)} MB`,
  );
  console.error(`${title}\n${rows.join('\n')}`);
}
