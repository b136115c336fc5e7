import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../src/base/json.ts';
import type { Hub } from '../src/hub/hub.ts';
import { report, type Figure } from './figure.ts';
import { median, wallOf } from './measure.ts';
import { realEnvironment } from '../test/real/environment.ts';
import { openHubAt, temporaryHome } from './product.ts';

/**
 * The first call of a sleeping server, and what it holds afterwards: published servers, each through npx and
 * installed, in turn on the same hub. npx has all of them in its cache, and a hub that asked about checksums.
 */
const ROUNDS = 5;
/** A little more than the pause in which a server's memory settles. */
const SETTLE_MS = 800;

interface Published {
  readonly id: string;
  readonly package: string;
  readonly args?: readonly string[];
  readonly tool: string;
  readonly input: JsonObject;
}

using home = temporaryHome();
const files = join(home.path, 'files');
mkdirSync(files);

const THOUGHT = { thought: 'One.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
const SERVERS: readonly Published[] = [
  {
    id: 'everything',
    package: '@modelcontextprotocol/server-everything',
    tool: 'echo',
    input: { message: 'hi' },
  },
  { id: 'memory', package: '@modelcontextprotocol/server-memory', tool: 'read_graph', input: {} },
  {
    id: 'filesystem',
    package: '@modelcontextprotocol/server-filesystem',
    args: [files],
    tool: 'list_allowed_directories',
    input: {},
  },
  {
    id: 'thinking',
    package: '@modelcontextprotocol/server-sequential-thinking',
    tool: 'sequentialthinking',
    input: THOUGHT,
  },
  {
    id: 'eslint',
    package: '@eslint/mcp',
    tool: 'lint-files',
    input: { filePaths: [join(files, 'none.js')] },
  },
];

await using hub = await openHubAt(home.path, realEnvironment());
const figures: Figure[] = [];
for (const server of SERVERS) figures.push(...(await measure(hub, server)));
const ratio = (unit: Figure['unit']): number =>
  median(
    figures
      .filter((figure) => figure.unit === unit)
      .map(({ measured, floor = Number.NaN }) => measured / floor),
  );
process.stderr.write(
  `Of the five, in the middle: ${(1 / ratio('ms')).toFixed(1)} times sooner, ${((1 - ratio('MB')) * 100).toFixed(0)} % less memory.\n`,
);
report(figures);

/** What is installed stands beside what npx takes: the target says how much less it has to be. */
async function measure(hub: Hub, server: Published): Promise<readonly Figure[]> {
  const version = await add(hub, server);
  const ways = { npx: `${server.id}-npx`, installed: server.id };
  const times = { npx: [] as number[], installed: [] as number[] };
  const memory = { npx: [] as number[], installed: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const way of ['npx', 'installed'] as const) {
      const id = ways[way];
      const ms = await wallOf(() => hub.tools.call({ tool: `${id}/${server.tool}`, args: server.input }));
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const bytes = (await hub.servers.get({ id })).process?.memoryBytes ?? Number.NaN;
      await hub.servers.stop({ id });
      if (round < 0) continue;
      times[way].push(ms);
      memory[way].push(bytes / 1024 / 1024);
    }
  }
  const name = `${server.package}@${version}`;
  const figure = (what: string, unit: 'ms' | 'MB', of: typeof times, ratioMax: number): Figure => ({
    name: `${name}, ${what}, against npx`,
    unit,
    measured: median(of.installed),
    floor: median(of.npx),
    target: { ratioMax },
  });
  return [figure('first call', 'ms', times, 1 / 2.5), figure('memory', 'MB', memory, 0.6)];
}

/** The same version twice: as its plan has it, and with a variable of npm's, which leaves it to npx. */
async function add(hub: Hub, { id, package: name, args = [], tool }: Published): Promise<string> {
  const { plans } = await hub.plans.make({ text: ['npx', '-y', name, ...args].join(' ') });
  const plan = plans[0]?.plan;
  if (plan === undefined) throw new Error(`There is no plan for ${name}.`);
  await hub.plans.install({ plan, id });
  const definition = await hub.servers.definition({ id });
  const { endpoint } = definition;
  if (endpoint.kind !== 'stdio') throw new Error(`${name} runs no command.`);
  const env = { ...endpoint.env, npm_config_update_notifier: 'false' };
  await hub.servers.add({ definition: { ...definition, id: `${id}-npx`, endpoint: { ...endpoint, env } } });
  for (const one of [id, `${id}-npx`]) {
    await hub.grants.add({ tool: `${one}/${tool}` });
    await hub.servers.stop({ id: one });
  }
  const { servers } = await hub.servers.list();
  const left = servers.filter(
    ({ id: one, problems }) => one === id && problems.some((text) => text.includes('npx')),
  );
  if (left.length > 0) throw new Error(`${name} is not installed: ${left[0]?.problems.join(' ')}`);
  return definition.package?.version ?? '';
}
