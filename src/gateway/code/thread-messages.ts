import type { ErrorCode } from '../../base/errors.ts';
import type { CodeLimits } from './limits.ts';
import type { Json } from '../../base/json.ts';

export interface ThreadStart {
  readonly code: string;
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly limits: CodeLimits;
}

export type AskKind = 'call' | 'search' | 'describe';

/** From the thread: text, parsed only on this side. */
export type ThreadSaid =
  | { readonly kind: 'started' }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly what: AskKind;
      /** For a call: server and tool as written; otherwise empty. */
      readonly path: readonly string[];
      readonly text: string;
    }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'returned'; readonly text: string | undefined }
  | { readonly kind: 'failed'; readonly failure: ScriptFailure };

export type Answer =
  | { readonly id: number; readonly ok: true; readonly text: string }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly code?: ErrorCode };

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
  readonly message: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

interface ScriptTraces {
  readonly logs: readonly string[];
  readonly calls: number;
}

export type ScriptOutcome =
  | ({ readonly kind: 'returned'; readonly value: Json | undefined } & ScriptTraces)
  | (ScriptFailure & ScriptTraces);
