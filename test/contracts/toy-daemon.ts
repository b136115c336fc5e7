/** A hub process without servers: `node test/contracts/toy-daemon.ts HOME VERSION [fail|slow-stop]`. */
import { systemClock } from '../../src/base/clock.ts';
import { messageOf } from '../../src/base/errors.ts';
import { systemIds } from '../../src/base/ids.ts';
import { jsonLogger } from '../../src/base/logger.ts';
import { runHub } from '../../src/daemon/run-hub.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { toyHub } from './toy-hub.ts';

const [home = '', version = '', mode] = process.argv.slice(2);
if (mode === 'fail') {
  console.error('the disk is full');
  process.exit(1);
}
async function open(): Promise<Hub> {
  const { hub } = toyHub({ version });
  if (mode !== 'slow-stop') return hub;
  return { ...hub, [Symbol.asyncDispose]: () => systemClock.sleep(1_500) };
}
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
try {
  const running = await runHub({
    paths: { config: home, data: home, state: home },
    version,
    open,
    clock: systemClock,
    ids: systemIds,
    logger: jsonLogger({ clock: systemClock, level: 'info', write: (line) => process.stderr.write(line) }),
    signal: stop.signal,
  });
  await running.stopped;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
