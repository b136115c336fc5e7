import type { PlugError } from '../../base/errors.ts';
import { findPaths } from '../../base/paths.ts';
import type { DoctorReport, DoctorRow, FixOutcome } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { lookWithoutHub, mendWithoutHub } from './offline-checks.ts';
import { renderFixes, renderReport } from '../render/doctor.ts';
import type { Session } from '../session.ts';
import { fixesIn, type DoctorGiven } from './doctor.ts';

/** What can be said when no hub answers: why it did not start, and what stands in its way. */
export async function doctorOffline(
  why: PlugError,
  given: DoctorGiven & { readonly version: string },
  session: Session,
): Promise<ExitCode> {
  const { out, env, clock } = session;
  const paths = findPaths({ env, platform: process.platform });
  const look = (): Promise<readonly DoctorRow[]> => lookWithoutHub(why, paths);
  let rows = await look();
  let fixes: readonly FixOutcome[] = [];
  if (given.fix) {
    fixes = await mendWithoutHub(fixesIn(rows), paths);
    if (fixes.length > 0) rows = await look();
  }
  const of = (status: DoctorRow['status']): number => rows.filter((row) => row.status === status).length;
  const report: DoctorReport = {
    rows,
    counts: { pass: of('pass'), warn: of('warn'), fail: of('fail'), skip: of('skip') },
    version: given.version,
    at: clock.now(),
  };
  out.document(given.fix ? { ...report, fixes } : report);
  if (!out.json) {
    renderFixes(fixes, out);
    renderReport(report, out, { whole: true, fixed: given.fix ?? false });
    if (fixes.some(({ done }) => done)) out.line('Something was mended. Look again: plug doctor');
  }
  return exitCodes.failed;
}
