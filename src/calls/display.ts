import type { ErrorView } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { cutText } from './results/cut.ts';

export type CallState = 'using' | 'waiting' | 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'refused';

/** What is known of a call at one moment. */
export interface CallMoment {
  readonly callId: string;
  /** `server/tool`. */
  readonly tool: string;
  readonly state: CallState;
  /** Redacted. */
  readonly args?: JsonObject;
  readonly durationMs?: number;
  readonly error?: ErrorView;
}

/** The parts from which every face makes its line; none of them holds colour or layout. */
export interface DisplayParts {
  readonly callId: string;
  readonly tool: string;
  readonly state: CallState;
  /** “Using github/search…”, “github/search completed” */
  readonly title: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
  /** “1.2 s” */
  readonly took?: string;
  /** Why it did not complete, and what to do. */
  readonly reason?: string;
  readonly next?: string;
}

export function displayOf({ callId, tool, state, args = {}, durationMs, error }: CallMoment): DisplayParts {
  return {
    callId,
    tool,
    state,
    title: TITLES[state](tool),
    args: shownArgs(args),
    ...(durationMs === undefined ? {} : { took: took(durationMs) }),
    ...(error ? { reason: error.message } : {}),
    ...(error?.next === undefined ? {} : { next: error.next }),
  };
}

/** The state in which a call that failed has ended. */
export function stateOfFailure({ code }: Pick<ErrorView, 'code'>): CallState {
  if (code === 'call_timeout' || code === 'start_timeout') return 'timed_out';
  if (code === 'cancelled') return 'cancelled';
  return code === 'denied' || code === 'approval_required' ? 'refused' : 'failed';
}

const TITLES: Readonly<Record<CallState, (tool: string) => string>> = {
  using: (tool) => `Using ${tool}…`,
  waiting: (tool) => `${tool} waits for your approval`,
  completed: (tool) => `${tool} completed`,
  failed: (tool) => `${tool} failed`,
  timed_out: (tool) => `${tool} timed out`,
  cancelled: (tool) => `${tool} was cancelled`,
  refused: (tool) => `${tool} was refused`,
};

const ARGS_SHOWN = 20;
const VALUE_CHARS = 200;

function shownArgs(args: JsonObject): DisplayParts['args'] {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  const shown = entries.slice(0, ARGS_SHOWN).map(([name, value]) => ({ name, value: oneLine(value) }));
  const left = entries.length - shown.length;
  return left === 0 ? shown : [...shown, { name: '…', value: `${left} more` }];
}

/** As JSON, so that a line break in a value cannot look like another argument. */
function oneLine(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= VALUE_CHARS ? text : `${cutText(text, VALUE_CHARS)}…`;
}

function took(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
