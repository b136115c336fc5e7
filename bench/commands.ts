import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, type Figure } from './figure.ts';
import { interleave, wallOf } from './measure.ts';
import { bin, echoCommand, plug, run, temporaryHome } from './product.ts';

/** How soon a command answers, against the start of Node itself, and with servers that run. */
const ROUNDS = 21;
const SERVERS = 20;

using asleep = homeWithServers();
using running = homeWithServers();
plug(asleep.path, 'hub', 'start');
plug(running.path, 'hub', 'start');
try {
  plug(running.path, 'wait');
  const start = (home: string, ...argv: readonly string[]): Promise<number> => wallOf(() => run(argv, home));
  const time = await interleave(
    {
      node: () => start(asleep.path, '-e', '0'),
      version: () => start(asleep.path, bin, '--version'),
      help: () => start(asleep.path, bin, '--help'),
      list: () => start(asleep.path, bin, 'list', '--json'),
      listRunning: () => start(running.path, bin, 'list', '--json'),
      status: () => start(asleep.path, bin, 'status'),
      statusRunning: () => start(running.path, bin, 'status'),
    },
    { rounds: ROUNDS, warmUps: 3 },
  );
  const against = (floor: 'node' | 'list' | 'status', ratioMax: number) => (name: string, measured: number) =>
    ({ name, unit: 'ms', measured, floor: time[floor], target: { ratioMax } }) satisfies Figure;
  report([
    against('node', 2)('plug --version, against node -e 0', time.version),
    against('node', 4)('plug --help, against node -e 0', time.help),
    against('node', 4)(`plug list --json, ${SERVERS} servers asleep, against node -e 0`, time.list),
    against('list', 1.3)(`the same, ${SERVERS} running against asleep`, time.listRunning),
    against('status', 1.3)(`plug status, ${SERVERS} running against asleep`, time.statusRunning),
  ]);
} finally {
  plug(asleep.path, 'hub', 'stop');
  plug(running.path, 'hub', 'stop');
}

function homeWithServers(): ReturnType<typeof temporaryHome> {
  const home = temporaryHome();
  const { command, args } = echoCommand();
  const mcpServers = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, index) => [
      `echo-${index}`,
      { command, args, env: { N: `${index}` } },
    ]),
  );
  writeFileSync(join(home.path, 'mcp.json'), JSON.stringify({ mcpServers }));
  return home;
}
