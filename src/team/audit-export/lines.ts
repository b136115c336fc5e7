import type { AuditRecord } from '../../calls/audit-record.ts';
import { parseJson } from '../../base/parse-json.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Beside a record: whose it is. */
export interface Line {
  readonly person: string;
  readonly record: AuditRecord;
}

const COLUMNS = ['at', 'person', 'server', 'tool', 'account', 'outcome', 'effect', 'durationMs'] as const;

/** `arguments`: with what the tools were called is for auditors alone. */
export function csvHead({ withArguments }: { readonly withArguments: boolean }): string {
  return `${[...COLUMNS, ...(withArguments ? ['arguments'] : []), 'callId'].join(',')}\r\n`;
}

export function csvLine({ person, record }: Line, { withArguments }: { withArguments: boolean }): string {
  const { callId, server, tool, account = '', outcome, effect, durationMs, args } = record;
  const cells = [new Date(record.at).toISOString(), person, server, tool, account, outcome, effect];
  const rest = [String(durationMs), ...(withArguments ? [JSON.stringify(args)] : []), callId];
  return `${[...cells, ...rest].map(cell).join(',')}\r\n`;
}

export function jsonLine({ person, record }: Line): string {
  return `${JSON.stringify({ person, ...record })}\n`;
}

/** What is kept of a record, as a line of a file. What is not named here stays out of those without arguments. */
export function exportedLine(
  person: string,
  text: string,
  { format, withArguments }: { readonly format: ExportFormat; readonly withArguments: boolean },
): string {
  const record = parseJson(text) as AuditRecord; // the chain holds records alone
  if (format === 'csv') return csvLine({ person, record }, { withArguments });
  // As it was written, so that no digit of a number is lost.
  if (withArguments) return `{"person":${JSON.stringify(person)},${text.slice(1)}\n`;
  const { callId, at, server, account, tool, risk, effect, outcome, durationMs, error } = record;
  const known = { callId, at, server, account, tool, risk, effect, outcome, durationMs, error: error?.code };
  return `${JSON.stringify({ person, ...known })}\n`;
}

/** A cell that begins like a formula would be one in a spreadsheet. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
