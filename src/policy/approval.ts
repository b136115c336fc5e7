import type { Json, JsonObject } from '../base/json.ts';
import type { Flag } from '../catalog/tool.ts';
import type { Risk } from '../catalog/risk.ts';
import type { ReadOnlyBar } from '../servers/read-only.ts';
import type { Decision, GrantOffer, Requester } from './decision.ts';

/** A call that waits for a person. Everything that they need to decide is on it. */
export interface Approval {
  readonly id: string;
  /** Parallel calls of one requester are answered together when the person likes. */
  readonly batch: string;
  readonly createdAt: number;
  /** Unanswered by then, it is denied. */
  readonly expiresAt: number;
  readonly requester: Requester;
  readonly server: string;
  /** Whom we are at the server. */
  readonly account?: string;
  readonly tool: string;
  readonly risk: Risk;
  /** What speaks against the tool; such a call is never answered as one of many. */
  readonly flags?: readonly Flag[];
  /** Whole, with secrets masked. */
  readonly args: JsonObject;
  /** Binds the answer to exactly these arguments. */
  readonly argsHash: string;
  /** Why it asks. */
  readonly decision: Decision;
  /** Against the arguments of the last call of this tool that was approved. */
  readonly changes?: readonly ArgumentChange[];
  /** What a call would write, where that can be told from its arguments. */
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
  /** Of the file, or of the argument. */
  readonly path: string;
  /** A unified diff where the earlier text is known, else the text. */
  readonly text: string;
  readonly isDiff: boolean;
  /** Shows text of a file that the caller may not have read: it is for people, never for the caller. */
  readonly fromDisk?: true;
}

/**
 * Where the answer came from. The hub fills it in; nobody says it of themselves. A host that shows
 * the question to its person (elicitation) gets an id of its own: as the requester it cannot answer.
 */
export interface Answerer {
  readonly kind: 'terminal' | 'page' | 'editor' | 'elicitation' | 'library';
  readonly id: string;
}

export interface ApprovalAnswer {
  readonly effect: 'allow' | 'deny';
  /** The hash that was shown: an answer to other arguments is refused. */
  readonly argsHash: string;
  /** Run with these instead; they are checked like any arguments. */
  readonly args?: JsonObject;
  /** Default: this one call only. */
  readonly remember?: Exclude<GrantOffer, 'once'>;
  /** For `arguments`: see GrantScope. */
  readonly pattern?: Readonly<Record<string, string>>;
  /** A denial's word to the model. */
  readonly note?: string;
}

export type ApprovalOutcome =
  | {
      readonly kind: 'allowed';
      readonly by: Answerer;
      /** What runs. Whoever answered is told them with secrets masked. */
      readonly args: JsonObject;
      /** Edited arguments are another question: the caller decides anew before it runs. */
      readonly edited: boolean;
      readonly remember?: Exclude<GrantOffer, 'once'>;
      readonly pattern?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'denied'; readonly by: Answerer; readonly note?: string }
  | { readonly kind: 'unanswered' }
  /** The caller went away; or, with a bar, only reads may run by now. */
  | { readonly kind: 'withdrawn'; readonly bar?: ReadOnlyBar };
