import type { Remedy } from '../../base/remedy.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';

export const doctorLimits = {
  /** Servers that are checked, and with `live` started, at the same time. */
  serversAtOnce: 4,
  localConnectMs: 1_500,
  /** Includes DNS and TLS. */
  remoteConnectMs: 8_000,
  liveReadMs: 20_000,
  linesShown: 10,
  detailsShown: 12,
  lineCharsMax: 400,
  /** File names of a folder that are compared with a mistyped command. */
  namesPerFolderMax: 5_000,
  nearMissBytesMax: 256 * 1024,
  /** Less free space is a warning; less than a tenth of it is a failure. */
  diskFreeBytesMin: 200 * 1024 * 1024,
  clockSkewMs: 5 * 60_000,
} as const;

export type Rows = DoctorRow | readonly DoctorRow[];

type Particular = Omit<DoctorRow, 'check' | 'status' | 'says' | 'next'>;

type Particulars = {
  readonly [Name in keyof Omit<Particular, 'remedy'>]?: Particular[Name] | undefined;
} & { readonly remedy?: Remedy | string | undefined };

const rowOf =
  (status: DoctorRow['status']) =>
  (check: DoctorCheck, says: string, more: Particulars = {}): DoctorRow => {
    const given = Object.entries({ ...more, ...nextStep(more.remedy) }).filter(
      ([name, value]) => value !== undefined && !(name === 'details' && more.details?.length === 0),
    );
    // Only undefined values were removed, so the rest keeps its types.
    return { check, status, says: cut(says), ...(Object.fromEntries(given) as Particular) };
  };

export const pass = rowOf('pass');
export const warn = rowOf('warn');
export const fail = rowOf('fail');
export const skip = rowOf('skip');

// The usual causes, each with who can fix it.
export const BAD_CONFIG = { cause: 'bad_config', owner: 'you' } as const;
export const MISSING_INPUT = { cause: 'missing_input', owner: 'you' } as const;
export const DENIED = { cause: 'denied', owner: 'you' } as const;
export const UNTRUSTED = { cause: 'untrusted', owner: 'you' } as const;
export const PROTOCOL_ERROR = { cause: 'protocol_error', owner: 'server' } as const;

export function failedBy(check: DoctorCheck, thrown: unknown, more: Particulars = {}): DoctorRow {
  const { code, message, owner, remedy } = toPlugError(thrown);
  return fail(check, message, { cause: code, owner, remedy, ...more });
}

export function unchecked(check: DoctorCheck, thrown: unknown): DoctorRow {
  const { code: cause, message, remedy } = toPlugError(thrown);
  return fail(check, `The check failed: ${message}`, { cause, owner: 'plugboard', remedy });
}

export function lastLines(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-doctorLimits.linesShown)
    .map((line) => cut(line.trimEnd()));
}

export function cut(text: string): string {
  const { lineCharsMax } = doctorLimits;
  return text.length > lineCharsMax ? `${text.slice(0, lineCharsMax)}…` : text;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
