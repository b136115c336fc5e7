import type { Json } from '../../base/json.ts';

/** Why a script gave no value. */
export type ScriptFailureKind =
  | 'syntax' // it is no TypeScript, or too long
  | 'threw' // it threw, or waits for something that never comes
  | 'time'
  | 'memory' // or its stack
  | 'calls' // it made more calls than it may, or larger ones
  | 'too_large' // what it returned
  | 'cancelled';

export interface ScriptFailure {
  readonly kind: ScriptFailureKind;
  /** A sentence. */
  readonly message: string;
  /** Where in the script, counted from one. */
  readonly line?: number;
  readonly column?: number;
}

interface ScriptTraces {
  /** What the script wrote to its console, up to a limit. */
  readonly logs: readonly string[];
  /** How many tools it called. */
  readonly calls: number;
}

/** What became of a script. */
export type ScriptOutcome =
  | ({ readonly kind: 'returned'; readonly value: Json | undefined } & ScriptTraces)
  | (ScriptFailure & ScriptTraces);
