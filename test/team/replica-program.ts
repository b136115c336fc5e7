/** A replica in a process of its own: `node test/team/replica-program.ts URL PORT FOLDER`. Prints a line when it listens. */
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { jsonLogger } from '../../src/base/logger.ts';
import { runTeam } from '../../src/team/run-team.ts';

const [url = '', port = '', folder = ''] = process.argv.slice(2);
const stopped = new AbortController();
process.once('SIGTERM', () => stopped.abort());
const team = await runTeam({
  version: '0.0.0-test',
  clock: systemClock,
  ids: systemIds,
  logger: jsonLogger({ clock: systemClock, level: 'warn', write: (line) => process.stderr.write(line) }),
  database: process.env['PLUG_DATABASE_URL'],
  env: process.env,
  url,
  port: Number(port),
  paths: { config: folder, data: folder, state: folder },
  guard: (ip) => (ip === '127.0.0.1' ? undefined : 'not in a test'),
  pageFolder: folder,
  signal: stopped.signal,
});
console.log(team.url);
await team.stopped;
