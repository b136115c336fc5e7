import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report, type Figure } from './figure.ts';
import { interleave, wallOf } from './measure.ts';
import { bin, plug, run, temporaryHome } from './product.ts';

/**
 * One call of a tool from a shell, through what keeps the server running: our hub, mcporter's daemon,
 * mcpc's bridge. All call the same real server, and each is warm.
 */
const ROUNDS = 15;
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const server = [
  process.execPath,
  join(modules, '@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
];
const mcporter = join(modules, 'mcporter/dist/cli.js');

using home = temporaryHome();
const config = writeConfig(home.path);
plug(home.path, 'add', 'everything', '--yes', '--', ...server);
plug(home.path, 'grants', 'add', 'everything/echo');
run([mcporter, '--config', config, 'daemon', 'start'], home.path);
const mcpc = installMcpc();
if (mcpc !== undefined) run([mcpc, 'connect', `${config}:everything`, '@bench'], home.path);
try {
  const time = (...argv: readonly string[]): Promise<number> =>
    wallOf(() => {
      const printed = run(argv, home.path);
      if (argv.length > 2 && !printed.includes('Echo: hi')) throw new Error(`It answered: ${printed}`);
    });
  const medians = await interleave(
    {
      node: () => time('-e', '0'),
      plug: () => time(bin, 'call', 'everything/echo', 'message=hi'),
      mcporter: () => time(mcporter, '--config', config, 'call', 'everything.echo', 'message=hi'),
      mcpc: () =>
        mcpc === undefined ? Number.NaN : time(mcpc, '@bench', 'tools-call', 'echo', 'message:=hi'),
    },
    { rounds: ROUNDS, warmUps: 2 },
  );
  const against = (name: string, measured: number): Figure => ({
    name: `${name}, against node -e 0`,
    unit: 'ms',
    measured,
    floor: medians.node,
  });
  report([
    { ...against('plug call, hub running', medians.plug), target: { ratioMax: 3 } },
    against('mcporter call, daemon running', medians.mcporter),
    ...(mcpc === undefined ? [] : [against('mcpc tools-call, session open', medians.mcpc)]),
  ]);
} finally {
  plug(home.path, 'hub', 'stop');
  run([mcporter, '--config', config, 'daemon', 'stop'], home.path);
  if (mcpc !== undefined) run([mcpc, 'close', '@bench'], home.path);
}

function writeConfig(folder: string): string {
  const [command, ...args] = server;
  const file = join(folder, 'peers.json');
  const entry = { command, args, lifecycle: 'keep-alive' };
  writeFileSync(file, JSON.stringify({ mcpServers: { everything: entry }, imports: [] }));
  return file;
}

/**
 * Installed here and not with the project: it brings a hundred megabytes that nothing else needs, and
 * one of its dependencies has to be held at a version whose own dependencies exist.
 */
function installMcpc(): string | undefined {
  const folder = join(modules, '.cache/plug-bench/mcpc');
  const program = join(folder, 'node_modules/@apify/mcpc/bin/mcpc');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const wanted = { private: true, dependencies: { '@apify/mcpc': '0.2.6' }, overrides: { viem: '2.46.3' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted));
  const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status === 0 && existsSync(program)) return program;
  process.stderr.write(
    `mcpc is left out, as it could not be installed: ${stderr.trim().split('\n').at(-1)}\n`,
  );
  return undefined;
}
