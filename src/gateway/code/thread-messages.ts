import type { ErrorCode } from '../../base/errors.ts';
import type { CodeLimits } from './limits.ts';
import type { ScriptFailure } from './script-outcome.ts';

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
