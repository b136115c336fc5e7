import type { JsonObject } from '../../base/json.ts';
import type { ScriptFailureKind, ScriptOutcome } from './script-outcome.ts';

/** A script's outcome as a result of MCP's `tools/call`: what it returned, then its console. */
export function renderOutcome(outcome: ScriptOutcome): JsonObject {
  const { logs } = outcome;
  const console = logs.length === 0 ? [] : [text(`Console:\n${logs.join('\n')}`)];
  if (outcome.kind !== 'returned') return { content: [text(failure(outcome)), ...console], isError: true };
  return { content: [text(valueText(outcome.value)), ...console] };
}

function valueText(value: Extract<ScriptOutcome, { kind: 'returned' }>['value']): string {
  if (value === undefined) return 'The script returned nothing: end it with “return …” to see a value.';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function failure(outcome: Exclude<ScriptOutcome, { kind: 'returned' }>): string {
  const { kind, message, line, column, calls } = outcome;
  const at = column === undefined ? '' : `, column ${column}`;
  const place = line === undefined ? '' : ` (line ${line}${at})`;
  // Calls are not undone: whoever runs the script again must know that they were made.
  const made = calls === 0 ? '' : `\n${calls === 1 ? 'One call was' : `${calls} calls were`} made before.`;
  return `${HEADINGS[kind]}${place}: ${message}${made}`;
}

function text(value: string): JsonObject {
  return { type: 'text', text: value };
}

const HEADINGS: Readonly<Record<ScriptFailureKind, string>> = {
  syntax: 'The script cannot be read',
  threw: 'The script failed',
  time: 'The script was ended',
  memory: 'The script was ended',
  calls: 'The script was ended',
  too_large: 'The script ran, and its value is not shown',
  cancelled: 'The script was ended',
};
