/** The built hub with little room for records that wait: `node 06-small-hub.ts RECORDS`, PLUG_HOME set. */
import { systemClock } from '../../dist/base/clock.js';
import { systemIds } from '../../dist/base/ids.js';
import { silentLogger } from '../../dist/base/logger.js';
import { findPaths } from '../../dist/base/paths.js';
import { runHub } from '../../dist/daemon/run-hub.js';
import { openHub } from '../../dist/hub/open-hub.js';

const [records = ''] = process.argv.slice(2);
const { env, platform } = process;
const paths = findPaths({ env, platform });
const version = '0.0.0-test';
const running = await runHub({
  paths,
  version,
  clock: systemClock,
  ids: systemIds,
  logger: silentLogger,
  open: () => openHub({ paths, cwd: paths.data, env, version, limits: { auditQueueMax: Number(records) } }),
});
process.on('SIGTERM', () => void running.close().then(() => process.exit(0)));
