import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { TaskGroup } from '../../src/base/tasks.ts';
import { AuditLog } from '../../src/calls/audit/audit-log.ts';
import { openStorage } from '../../src/storage/open.ts';
import { auditRecord } from './audit-sample.ts';

// One that is killed would never write what it compiled, and the next would compile it again.
flushCompileCache();

// A process of its own that records calls and acknowledges each on a line, as fast as it can.
// Arguments: the folder, the prefix of the calls' ids. It goes on until it is killed.
const [folder = '', prefix = ''] = process.argv.slice(2);
const storage = await openStorage({ kind: 'sqlite', file: join(folder, 'plug.db') });
const log = await AuditLog.open({
  store: storage.audit,
  owner: 'local',
  folder: join(folder, 'audit'),
  clock: systemClock,
  ids: systemIds,
  limits,
  logger: silentLogger,
  tasks: new TaskGroup(silentLogger),
  redact: (value) => value,
  isRecorded: () => true,
});

for (let index = 0; ; index += 1) {
  const callId = `${prefix}-${index}`;
  await log.record(auditRecord(callId, systemClock.now()));
  writeSync(1, `${callId}\n`);
  // Calls come one after another, with time for other work between them.
  if (index % 20 === 0) await systemClock.sleep(1);
}
