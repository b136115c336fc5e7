import type { Remedy } from '../../base/remedy.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import { doctorLimits } from './limits.ts';

type Particular = Omit<DoctorRow, 'check' | 'status' | 'says' | 'next'>;

/** What a row may say beyond its sentence; what is undefined is left out. */
export type Particulars = {
  readonly [Name in keyof Omit<Particular, 'remedy'>]?: Particular[Name] | undefined;
} & { readonly remedy?: Remedy | string | undefined };

export function pass(check: DoctorCheck, says: string, more: Particulars = {}): DoctorRow {
  return rowOf(check, 'pass', says, more);
}

export function warn(check: DoctorCheck, says: string, more: Particulars = {}): DoctorRow {
  return rowOf(check, 'warn', says, more);
}

export function fail(check: DoctorCheck, says: string, more: Particulars): DoctorRow {
  return rowOf(check, 'fail', says, more);
}

export function skip(check: DoctorCheck, says: string, more: Particulars = {}): DoctorRow {
  return rowOf(check, 'skip', says, more);
}

/** A failure of ours that already knows its words, its owner and its next step. */
export function failedBy(check: DoctorCheck, thrown: unknown, more: Particulars = {}): DoctorRow {
  const { code, message, owner, remedy } = toPlugError(thrown);
  return fail(check, message, { cause: code, owner, remedy, ...more });
}

/** Lines beneath a row: the last ones, none of them endless. */
export function lastLines(
  lines: readonly string[],
  max: number = doctorLimits.linesShown,
): readonly string[] {
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-max)
    .map((line) => cut(line.trimEnd()));
}

export function cut(text: string): string {
  const { lineCharsMax } = doctorLimits;
  return text.length > lineCharsMax ? `${text.slice(0, lineCharsMax)}…` : text;
}

/** “1 tool”, “2 tools”. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function rowOf(check: DoctorCheck, status: DoctorRow['status'], says: string, more: Particulars): DoctorRow {
  const given = Object.entries({ ...more, ...nextStep(more.remedy) }).filter(
    ([name, value]) => value !== undefined && !(name === 'details' && more.details?.length === 0),
  );
  // Only what is undefined was taken out, so that the rest has the types that it had.
  return { check, status, says: cut(says), ...(Object.fromEntries(given) as Particular) };
}
