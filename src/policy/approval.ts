import type { Json, JsonObject } from '../base/json.ts';
import type { Flag } from '../catalog/tool.ts';
import type { Risk } from '../catalog/risk.ts';
import type { ReadOnlyBar } from '../servers/read-only.ts';
import type { Decision, GrantOffer, Requester } from './decision.ts';

/** A call that waits for a person, with everything they need to decide. */
export interface Approval {
  readonly id: string;
  /** Parallel calls of one requester can be answered together. */
  readonly batch: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly requester: Requester;
  readonly server: string;
  readonly account?: string;
  readonly tool: string;
  readonly risk: Risk;
  /** Flagged calls are never answered in a batch. */
  readonly flags?: readonly Flag[];
  /** Complete, with secrets masked. */
  readonly args: JsonObject;
  readonly argsHash: string;
  readonly decision: Decision;
  /** Compared with the last approved call of this tool. */
  readonly changes?: readonly ArgumentChange[];
  readonly preview?: ApprovalPreview;
  readonly offers: readonly GrantOffer[];
}

export interface ArgumentChange {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

export interface ApprovalPreview {
  readonly kind: 'file' | 'text';
  readonly path: string;
  readonly text: string;
  readonly isDiff: boolean;
  /** Shows text of a file that the caller may not have read: for people only. */
  readonly fromDisk?: true;
}

/** Set by the hub. A host that elicits the answer gets its own id: as the requester it can't answer. */
export interface Answerer {
  readonly kind: 'terminal' | 'page' | 'editor' | 'elicitation' | 'library';
  readonly id: string;
  /** A member of the team other than the requester. Set by the team, never read from the request. */
  readonly approver?: Approver;
}

export interface Approver {
  readonly id: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly groups: readonly string[];
}

export interface ApprovalAnswer {
  readonly effect: 'allow' | 'deny';
  /** As shown: an answer for other arguments is refused. */
  readonly argsHash: string;
  readonly args?: JsonObject;
  /** Default: only this call. */
  readonly remember?: Exclude<GrantOffer, 'once'>;
  readonly pattern?: Readonly<Record<string, string>>;
  /** Sent to the model with a denial. */
  readonly note?: string;
}

/** How a question ended, for those who show it: without the arguments. */
export interface ApprovalEnd {
  readonly outcome: ApprovalOutcome['kind'];
  readonly by?: Answerer['kind'];
  readonly edited?: true;
  readonly remember?: ApprovalAnswer['remember'];
  readonly note?: string;
}

export type ApprovalOutcome =
  | {
      readonly kind: 'allowed';
      readonly by: Answerer;
      /** What runs; the answerer sees them masked. */
      readonly args: JsonObject;
      /** Edited arguments are decided again before the call. */
      readonly edited: boolean;
      readonly remember?: Exclude<GrantOffer, 'once'>;
      readonly pattern?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'denied'; readonly by: Answerer; readonly note?: string }
  | { readonly kind: 'unanswered' }
  /** The caller went away; with a bar, read-only mode began. */
  | { readonly kind: 'withdrawn'; readonly bar?: ReadOnlyBar };
