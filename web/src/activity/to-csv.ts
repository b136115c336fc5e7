import type { AuditRecord } from '../hub/hub-context.tsx';

const COLUMNS: readonly (readonly [string, (call: AuditRecord) => string | number | undefined])[] = [
  ['at', ({ at }) => new Date(at).toISOString()],
  ['callId', ({ callId }) => callId],
  ['requester', ({ requester }) => requester.name ?? requester.id],
  ['server', ({ server }) => server],
  ['account', ({ account }) => account],
  ['tool', ({ tool }) => tool],
  ['risk', ({ risk }) => risk],
  ['decision', ({ effect }) => effect],
  ['decidedBy', ({ by }) => by.kind],
  ['outcome', ({ outcome }) => outcome],
  ['error', ({ error }) => error?.message],
  ['durationMs', ({ durationMs }) => durationMs],
  ['waitedMs', ({ waitedMs }) => waitedMs],
  ['argsBytes', ({ argsBytes }) => argsBytes],
  ['resultBytes', ({ resultBytes }) => resultBytes],
  ['args', ({ args }) => JSON.stringify(args)],
];

export function toCsv(calls: readonly AuditRecord[]): string {
  const rows = calls.map((call) => COLUMNS.map(([, get]) => cell(get(call))).join(','));
  return `${[COLUMNS.map(([name]) => name).join(','), ...rows].join('\r\n')}\r\n`;
}

/** A text that a spreadsheet would take for a formula is marked as text. */
function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}
