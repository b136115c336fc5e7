import { toPlugError } from '../../base/errors.ts';
import type { DoctorReport, DoctorRow, FixOutcome, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { DONE, type Say } from '../output.ts';
import { renderFixes, renderReport } from '../render/doctor.ts';
import { withServerName, type Session } from '../session.ts';

export interface DoctorGiven {
  readonly server?: string;
  /** Only the servers that have failed. */
  readonly failed?: boolean;
  readonly live?: boolean;
  readonly fix?: boolean;
  readonly copy?: boolean;
}

/** `plug doctor`: also when no hub can be had, which is the worst of all faults. */
export async function doctorAnyhow(
  given: DoctorGiven & { readonly version: string },
  session: Session,
): Promise<ExitCode> {
  let hub: Hub;
  try {
    hub = await session.hubs.connect(session.signal);
  } catch (error) {
    const { doctorOffline } = await import('./doctor-offline.ts');
    return await doctorOffline(toPlugError(error), given, session);
  }
  await using held = hub;
  return await doctor(held, given, session);
}

/** Looks, mends what it may, and looks again. Fails when something is broken. */
async function doctor(hub: Hub, given: DoctorGiven, session: Session): Promise<ExitCode> {
  const { out } = session;
  let report = await examine(hub, given, session);
  let fixes: readonly FixOutcome[] = [];
  const offered = fixesIn(report.rows);
  if (given.fix && offered.length > 0) {
    fixes = await out.working('Mending …', () => hub.doctor.fix({ fixes: offered }));
    report = await examine(hub, given, session);
  }
  out.document(given.fix ? { ...report, fixes } : report);
  if (given.copy) {
    const { copyOf } = await import('../render/doctor-copy.ts');
    for (const line of await copyOf(hub, report, session)) out.line(line);
  } else if (!out.json) {
    renderFixes(fixes, out);
    if (given.failed && report.rows.length === 0) out.line(DONE, 'No server has failed.');
    else renderReport(report, out, { whole: given.server !== undefined, fixed: given.fix ?? false });
  }
  return report.counts.fail > 0 ? exitCodes.failed : exitCodes.ok;
}

async function examine(hub: Hub, given: DoctorGiven, session: Session): Promise<DoctorReport> {
  const { server, live = false, failed = false } = given;
  const { signal, out, terminal } = session;
  const work = async (say: Say): Promise<DoctorReport> => {
    const look = (one?: string): Promise<DoctorReport> =>
      hub.doctor.run(
        { ...(one === undefined ? {} : { server: one }), ...(live ? { live } : {}) },
        { signal, onProgress: (row) => sayRow(row, say) },
      );
    if (server !== undefined) return await withServerName(hub, server, () => look(server));
    if (!failed) return await look();
    const { servers } = await hub.servers.list();
    const broken = servers.filter(({ state }) => FAILED.has(state.kind)).map(({ id }) => id);
    const reports = await Promise.all(broken.map((id) => look(id)));
    return joined(reports, { version: (await hub.status()).version, at: session.clock.now() });
  };
  // A look without a start is short: in a pipe nothing but the answer is worth a line.
  const told = live || terminal.stderr.isTerminal;
  return told ? await out.working('Looking …', work) : await work(() => undefined);
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'needs-sign-in', 'needs-input', 'quarantined']);

function sayRow({ server, check, says }: DoctorRow, say: Say): void {
  say(`${server === undefined ? '' : `${server}: `}${check}: ${says}`);
}

function joined(reports: readonly DoctorReport[], more: Pick<DoctorReport, 'version' | 'at'>): DoctorReport {
  const rows = reports.flatMap((report) => report.rows);
  const of = (status: DoctorRow['status']): number => rows.filter((row) => row.status === status).length;
  return {
    rows,
    counts: { pass: of('pass'), warn: of('warn'), fail: of('fail'), skip: of('skip') },
    ...more,
  };
}

export function fixesIn(rows: readonly DoctorRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ fix }) => (fix ? [fix.id] : [])))];
}
