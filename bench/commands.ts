import { report } from './figure.ts';
import { interleave, wallOf } from './measure.ts';
import { bin, plug, run, temporaryHome } from './product.ts';

/** How soon a command answers, against the start of Node itself. */
const ROUNDS = 21;

using home = temporaryHome();
plug(home.path, 'hub', 'start');
try {
  const start = (...argv: readonly string[]): Promise<number> => wallOf(() => run(argv, home.path));
  const time = await interleave(
    {
      node: () => start('-e', '0'),
      version: () => start(bin, '--version'),
      help: () => start(bin, '--help'),
      list: () => start(bin, 'list', '--json'),
    },
    { rounds: ROUNDS, warmUps: 3 },
  );
  const against = (
    name: string,
    measured: number,
    ratioMax: number,
  ): Parameters<typeof report>[0][number] => ({
    name: `${name}, against node -e 0`,
    unit: 'ms',
    measured,
    floor: time.node,
    target: { ratioMax },
  });
  report([
    against('plug --version', time.version, 2),
    against('plug --help', time.help, 4),
    against('plug list --json, hub running', time.list, 4),
  ]);
} finally {
  plug(home.path, 'hub', 'stop');
}
