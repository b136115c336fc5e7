import { firstSentence } from '../../catalog/about-server.ts';
import type { ErrorView } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { ChatCallOutcome, ChatEvent } from '../../hub/hub.ts';
import type { Row } from '../live-rows.ts';
import { faint } from '../output.ts';
import { sanitizeLine } from '../sanitize.ts';
import { chatLimits } from './limits.ts';

export interface ShownCall {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Monotonic. */
  readonly startedMs: number;
  readonly end?: CallEnd;
}

export type CallEnd = Omit<Extract<ChatEvent, { readonly kind: 'call-end' }>, 'kind' | 'id' | 'tool'>;

export interface CallLook {
  readonly now: number;
  readonly verbose: boolean;
}

export function callRows(call: ShownCall, { now, verbose }: CallLook): readonly Row[] {
  const { end } = call;
  if (!end) return [runningRow(call, now), ...argumentRows(call.args)];
  return [endRow(call, end), ...argumentRows(call.args), ...afterRows(end, verbose)];
}

function runningRow({ tool, startedMs }: ShownCall, now: number): Row {
  const seconds = Math.floor((now - startedMs) / 1_000);
  return [
    { style: 'warn', text: '◐ ' },
    `Using ${sanitizeLine(tool)}…`,
    faint(seconds > 0 ? ` ${seconds}s` : ''),
  ];
}

export function endText(tool: string, { outcome, durationMs, text, error }: CallEnd): string {
  const name = sanitizeLine(tool);
  const took = secondsText(durationMs);
  switch (outcome) {
    case 'completed':
      return `${name} completed ${took}`;
    case 'timed-out':
      return `${name} timed out after ${took}${stepOf(error)}`;
    case 'denied':
      return `${name} denied${reasonOf(error, text)}`;
    case 'cancelled':
      return `${name} cancelled after ${took}`;
    case 'failed':
    default:
      return `${name} failed${reasonOf(error, text)}${stepOf(error)}`;
  }
}

export const END_SIGNS: Readonly<Record<ChatCallOutcome, string>> = {
  completed: '✔',
  failed: '✖',
  'timed-out': '⏱',
  denied: '⊘',
  cancelled: '⊘',
};

function secondsText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  return seconds < 120 ? `${Math.round(seconds)}s` : `${Math.round(seconds / 60)}m`;
}

function endRow(call: ShownCall, end: CallEnd): Row {
  const style = end.outcome === 'completed' ? 'good' : end.outcome === 'failed' ? 'bad' : 'warn';
  const by = firstSentence(sanitizeLine(end.allowedBy ?? ''));
  const allowed = by === '' ? '' : ` · ${by}`;
  return [
    { style, text: `${END_SIGNS[end.outcome]} ` },
    endText(call.tool, end),
    faint(end.outcome === 'completed' ? allowed : ''),
  ];
}

function reasonOf(error: ErrorView | undefined, text: string): string {
  const cause = error?.details?.['cause'];
  const said = error?.message ?? text.slice(0, chatLimits.resultChars);
  const reason = sanitizeLine(typeof cause === 'string' ? `${said} ${cause}` : said);
  return reason === '' ? '' : `: ${reason}`;
}

function stepOf(error: ErrorView | undefined): string {
  return error?.next === undefined ? '' : ` (${sanitizeLine(error.next)})`;
}

function afterRows({ text, resultId, outcome }: CallEnd, verbose: boolean): readonly Row[] {
  const lines =
    verbose && outcome === 'completed' ? text.slice(0, chatLimits.resultChars).split('\n').slice(0, 3) : [];
  return [
    ...lines.map((line): Row => [faint(`    ${sanitizeLine(line)}`)]),
    ...(resultId === undefined ? [] : [[faint(`    view more: plug results ${sanitizeLine(resultId)}`)]]),
  ];
}

function argumentRows(args: JsonObject): readonly Row[] {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  const shown = entries.slice(0, chatLimits.argumentsShown);
  const more = entries.length - shown.length;
  return [
    ...shown.map(([key, value]): Row => [faint(`    ${sanitizeLine(key)}: ${valueText(value ?? null)}`)]),
    ...(more > 0 ? [[faint(`    and ${more} more`)]] : []),
  ];
}

function valueText(value: Json): string {
  const text = sanitizeLine(typeof value === 'string' ? value : JSON.stringify(value));
  const characters = Array.from(text);
  const missing = characters.length - chatLimits.argumentChars;
  if (missing <= 0) return text;
  return `${characters.slice(0, chatLimits.argumentChars).join('')}… (${missing} more characters)`;
}
