import { carriersOf, startTimeOf } from '../../connections/processes/process-table.ts';
import type { ProcessRecord } from '../../connections/store.ts';
import type { Core } from '../core.ts';
import type { DoctorRow } from '../hub.ts';
import { doctorLimits } from './limits.ts';
import type { Examination } from './checked-server.ts';
import { count, pass, skip, warn } from './rows.ts';

/** Processes of servers whose hub is gone, and that run on. */
export async function lookForOrphans({ core, live, platform }: Examination): Promise<readonly DoctorRow[]> {
  // Elsewhere the process table is what another program prints, and a look starts none.
  if (platform !== 'linux' && !live) return [skip('orphans', 'Looked for only with --live on this system.')];
  const orphans = await findOrphans(core);
  if (orphans.length === 0) return [pass('orphans', 'No process of a server has outlived its hub.')];
  const pids = orphans.flatMap((orphan) => orphan.pids);
  const says = `${count(pids.length, 'process', 'processes')} of a hub that is gone still ${pids.length === 1 ? 'runs' : 'run'}.`;
  const details = orphans
    .slice(0, doctorLimits.detailsShown)
    .map(({ record, pids }) => `${record.server}: pid ${pids.join(', ')}`);
  const fix = { id: 'end-orphans', says: `end ${pids.length === 1 ? 'it' : 'them'}` };
  return [
    warn('orphans', says, {
      cause: 'unavailable',
      owner: 'plugboard',
      remedy: { do: 'check', fix: true },
      details,
      fix,
    }),
  ];
}

export interface Orphan {
  readonly record: ProcessRecord;
  readonly pids: readonly number[];
}

/** A recycled pid is nobody's orphan: the marker, or the start time, must be the recorded one. */
export async function findOrphans({ storage }: Core): Promise<readonly Orphan[]> {
  const records = await storage.connections.listProcesses();
  const found = await Promise.all(
    records.map(async (record) => {
      const [pid = '', startTime = ''] = record.hub.split(':');
      if ((await startTimeOf(Number(pid))) === startTime) return { record, pids: [] };
      return { record, pids: await leftOf(record) };
    }),
  );
  return found.filter(({ pids }) => pids.length > 0);
}

async function leftOf(record: ProcessRecord): Promise<readonly number[]> {
  if (process.platform === 'linux') return carriersOf(record.marker);
  const same = record.startTime !== '' && (await startTimeOf(record.pid)) === record.startTime;
  return same ? [record.pid] : [];
}
