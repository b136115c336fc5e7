import { fileURLToPath } from 'node:url';
import { report } from './figure.ts';
import { SERVERS, TOOLS, writeKnownServers } from './known-servers.ts';
import { median } from './measure.ts';
import { run, temporaryHome } from './product.ts';

/** How soon 50 known servers are listed, and how soon starting all of them returns. */
const ROUNDS = 5;
const program = fileURLToPath(new URL('first-list.ts', import.meta.url));

interface Sample {
  readonly openMs: number;
  readonly listMs: number;
  readonly tools: number;
  readonly processes: number;
  readonly ensureMs: number;
  readonly started: number;
}

using home = temporaryHome();
await writeKnownServers(home.path);
const samples: Sample[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const sample = JSON.parse(run([program, home.path], home.path)) as Sample; // our own program wrote it
  if (sample.tools !== TOOLS || sample.started !== SERVERS) {
    throw new Error(`Expected ${TOOLS} tools and ${SERVERS} servers: ${JSON.stringify(sample)}`);
  }
  samples.push(sample);
}
const middle = (field: keyof Sample): number => median(samples.map((sample) => sample[field]));
report([
  { name: `open a hub with ${SERVERS} known servers`, unit: 'ms', measured: middle('openMs') },
  {
    name: `first list of ${TOOLS} tools, as JSON`,
    unit: 'ms',
    measured: middle('listMs'),
    target: { max: 50 },
  },
  {
    name: 'processes started for that list',
    unit: 'processes',
    measured: Math.max(...samples.map((sample) => sample.processes)),
    target: { max: 0 },
  },
  {
    name: `ensureStarted of ${SERVERS} servers returns`,
    unit: 'ms',
    measured: middle('ensureMs'),
    target: { max: 100 },
  },
]);
