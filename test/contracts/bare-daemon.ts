/** A hub process without servers: `node test/contracts/bare-daemon.ts HOME VERSION [fail|slow-stop]`. */
import { systemClock } from '../../src/base/clock.ts';
import { messageOf } from '../../src/base/errors.ts';
import { systemIds } from '../../src/base/ids.ts';
import { jsonLogger } from '../../src/base/logger.ts';
import { runHub } from '../../src/daemon/run-hub.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';

const [home = '', version = '', mode] = process.argv.slice(2);
const paths = { config: home, data: home, state: home };
if (mode === 'fail') {
  console.error('the disk is full');
  process.exit(1);
}
async function open(): Promise<Hub> {
  const storage = { kind: 'memory' } as const;
  const hub = await openHub({ paths, cwd: home, env: { PLUG_NO_KEYRING: '1' }, version, storage });
  if (mode !== 'slow-stop') return hub;
  return {
    ...hub,
    [Symbol.asyncDispose]: async () => {
      await hub.close();
      await systemClock.sleep(1_500);
    },
  };
}
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
try {
  const running = await runHub({
    paths,
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
