import type { ErrorCode } from '../../base/errors.ts';
import type { CodeLimits } from './limits.ts';
import type { Json } from '../../base/json.ts';

/** What the thread is given. */
export interface ThreadStart {
  readonly code: string;
  /** Identifiers of servers, each with those of its tools. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly limits: CodeLimits;
}

/** What a script may ask of us; all of it is JSON text. */
export type AskKind = 'call' | 'search' | 'describe';

/** From the thread. What comes out of the machine is text, and is parsed on this side only. */
export type ThreadSaid =
  /** Now the script begins. */
  | { readonly kind: 'started' }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly what: AskKind;
      /** Of a call: server and tool as the script wrote them. Else empty. */
      readonly path: readonly string[];
      readonly text: string;
    }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'returned'; readonly text: string | undefined }
  | { readonly kind: 'failed'; readonly failure: ScriptFailure };

/** To the thread: how one question ended. */
export type Answer =
  | { readonly id: number; readonly ok: true; readonly text: string }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly code?: ErrorCode };

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
