import type { ErrorCode, Owner } from '../base/errors.ts';
import type { NextStep } from '../base/remedy.ts';
import type { NeededField } from '../servers/plans/needs.ts';

export type FailureCause = 'timeout' | 'crashed' | 'refused' | 'config' | 'protocol';

interface Because extends NextStep {
  readonly reason: string;
}

/** Times are epoch milliseconds. */
export type ServerState =
  | ({ readonly kind: 'disabled' } & Because)
  | ({ readonly kind: 'asleep' } & Because)
  | ({ readonly kind: 'starting'; readonly attempt: number } & Because)
  | ({ readonly kind: 'ready'; readonly since: number } & Because)
  | ({ readonly kind: 'degraded'; readonly since: number } & Because)
  | ({
      readonly kind: 'needs-sign-in';
      /** Set where there is no sign-in, so that only a key helps. */
      readonly needs?: readonly NeededField[];
    } & Because)
  | ({ readonly kind: 'needs-input'; readonly missing: readonly string[] } & Because)
  | ({
      readonly kind: 'failed';
      readonly cause: FailureCause;
      /** What the error said that ended the start. */
      readonly code?: ErrorCode;
      readonly owner?: Owner;
      readonly exitCode?: number;
      readonly exitSignal?: string;
      readonly stderr?: readonly string[];
      /** The command that isn't on this machine. */
      readonly missingCommand?: string;
      /** The values that it asked for in its last output. */
      readonly needs?: readonly NeededField[];
      /** When the breaker lets the next attempt through. */
      readonly retryAt?: number;
    } & Because)
  | ({ readonly kind: 'quarantined' } & Because);

export type OverallState = 'idle' | 'starting' | 'partial' | 'ready' | 'failed';

/** Sums up: nothing live is idle, all wanted live is ready, some is partial, none is failed. */
export function overallOf(states: readonly ServerState[]): OverallState {
  const wanted = states.filter((state) => state.kind !== 'disabled' && state.kind !== 'asleep');
  if (wanted.length === 0) return 'idle';
  const live = wanted.filter((state) => state.kind === 'ready' || state.kind === 'degraded').length;
  if (live === wanted.length) return 'ready';
  if (wanted.some((state) => state.kind === 'starting') && live === 0) return 'starting';
  return live > 0 ? 'partial' : 'failed';
}

export type EventKind = 'CONNECTED' | 'DISCONNECTED' | 'ERROR' | 'TOKEN_EXPIRED' | 'RECONNECTED';
export type EventActor = 'USER' | 'SYSTEM' | 'WEBHOOK';

export interface ServerEvent {
  readonly id: string;
  readonly server: string;
  readonly kind: EventKind;
  readonly by: EventActor;
  readonly at: number;
  readonly reason: string;
  /** After the change. */
  readonly state: ServerState['kind'];
}
