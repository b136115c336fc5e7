import { defined } from '../../base/defined.ts';
import { toPlugError, type PlugError } from '../../base/errors.ts';
import { findPaths } from '../../base/paths.ts';
import type { DoctorReport, DoctorRow, FixOutcome, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { DONE, type Say } from '../output.ts';
import { renderFixes, renderReport } from '../render/doctor.ts';
import { withServerName, type Flags, type HubSession, type OfServer, type Session } from '../session.ts';

type DoctorArgs = OfServer & Flags<'failed' | 'live' | 'fix' | 'copy'> & { readonly version: string };

export async function doctorAnyhow(given: DoctorArgs, session: Session): Promise<ExitCode | void> {
  let hub: Hub;
  try {
    hub = await session.hubs.connect(session.signal);
  } catch (error) {
    return await doctorOffline(toPlugError(error), given, session);
  }
  await using held = hub;
  return await doctor(given, { ...session, hub: held });
}

async function doctor(given: DoctorArgs, session: HubSession): Promise<ExitCode | void> {
  const { hub, out } = session;
  let report = await examine(given, session);
  let fixes: readonly FixOutcome[] = [];
  const offered = fixesIn(report.rows);
  if (given.fix && offered.length > 0) {
    fixes = await out.working('Mending …', () => hub.doctor.fix({ fixes: offered }));
    report = await examine(given, session);
  }
  out.document(given.fix ? { ...report, fixes } : report);
  if (given.copy) {
    const { copyOf } = await import('../render/doctor-copy.ts');
    for (const line of await copyOf(report, session)) out.line(line);
  } else if (!out.json) {
    renderFixes(fixes, out);
    if (given.failed && report.rows.length === 0) out.line(DONE, 'No failed servers.');
    else renderReport(report, out, { whole: given.server !== undefined, fixed: given.fix ?? false });
  }
  return report.counts.fail > 0 ? exitCodes.failed : undefined;
}

async function examine(given: DoctorArgs, session: HubSession): Promise<DoctorReport> {
  const { server, live = false, failed = false } = given;
  const { hub, signal, out, terminal } = session;
  const work = async (say: Say): Promise<DoctorReport> => {
    const onProgress = ({ server: id, check, says }: DoctorRow): void =>
      say(`${id === undefined ? '' : `${id}: `}${check}: ${says}`);
    const look = (one?: string): Promise<DoctorReport> =>
      hub.doctor.run({ ...defined({ server: one }), ...(live ? { live } : {}) }, { signal, onProgress });
    if (server !== undefined) return await withServerName(hub, server, () => look(server));
    if (!failed) return await look();
    const { servers } = await hub.servers.list();
    const broken = servers.filter(({ state }) => FAILED.has(state.kind)).map(({ id }) => id);
    const reports = await Promise.all(broken.map((id) => look(id)));
    return reportOf(
      reports.flatMap(({ rows }) => rows),
      (await hub.status()).version,
      session,
    );
  };
  // A look without a start is short: in a pipe nothing but the answer is worth a line.
  const told = live || terminal.stderr.isTerminal;
  return told ? await out.working('Looking …', work) : await work(() => undefined);
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'needs-sign-in', 'needs-input', 'quarantined']);

function reportOf(rows: readonly DoctorRow[], version: string, { clock }: Session): DoctorReport {
  const of = (status: DoctorRow['status']): number => rows.filter((row) => row.status === status).length;
  const counts = { pass: of('pass'), warn: of('warn'), fail: of('fail'), skip: of('skip') };
  return { rows, counts, version, at: clock.now() };
}

function fixesIn(rows: readonly DoctorRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ fix }) => (fix ? [fix.id] : [])))];
}

async function doctorOffline(why: PlugError, given: DoctorArgs, session: Session): Promise<ExitCode> {
  const { lookWithoutHub, mendWithoutHub } = await import('./offline-checks.ts');
  const { out, env } = session;
  const paths = findPaths({ env, platform: process.platform });
  const look = (): Promise<readonly DoctorRow[]> => lookWithoutHub(why, paths);
  let rows = await look();
  let fixes: readonly FixOutcome[] = [];
  if (given.fix) {
    fixes = await mendWithoutHub(fixesIn(rows), paths);
    if (fixes.length > 0) rows = await look();
  }
  const report = reportOf(rows, given.version, session);
  if (!out.document(given.fix ? { ...report, fixes } : report)) {
    renderFixes(fixes, out);
    renderReport(report, out, { whole: true, fixed: given.fix ?? false });
    if (fixes.some(({ done }) => done)) out.line('Something was fixed. Check again: plug doctor');
  }
  return exitCodes.failed;
}
