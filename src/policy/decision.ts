import type { JsonObject } from '../base/json.ts';
import type { Flag } from '../catalog/tool.ts';
import type { Risk } from '../catalog/risk.ts';
import type { ReadOnlyBar } from '../servers/read-only.ts';

export type Effect = 'allow' | 'ask' | 'deny';

/** Kept: until revoked. Session: until the hub stops. */
export type Trust = 'none' | 'session' | 'kept';

/** A person may answer their own question; a program or a model may not. */
export interface Requester {
  readonly kind: 'person' | 'host' | 'program';
  readonly id: string;
  readonly name?: string;
  /** The client through which a host speaks: it can't answer for the host either. */
  readonly through?: string;
}

export function isRequester({ id, through }: Requester, by: string): boolean {
  return by === id || by === through;
}

interface QuestionBase {
  readonly principal: string;
  readonly requester: Requester;
  readonly now: number;
  readonly server: {
    readonly id: string;
    readonly key: string;
    readonly fingerprint: string;
    readonly trust: Trust;
  };
}

/** The account at the server, for the whole call. */
export interface AskedAccount {
  /** Changes when somebody else signs in under the same name. */
  readonly id: string;
  readonly name: string;
  /** For people, as in `work (@bob)`. */
  readonly shown: string;
  readonly isDefault: boolean;
}

export interface AskedTool {
  readonly name: string;
  readonly risk: Risk;
  /** The risk without what its person has set, where that differs: rules of a team go by both. */
  readonly told?: Risk | undefined;
  readonly hash: string;
  readonly flags: readonly Flag[];
  readonly quarantined: boolean;
}

export interface DataOrigin {
  readonly server: string;
  readonly tool: string;
  /** Such as `body.text`; empty for several together. */
  readonly argument: string;
  readonly sample: string;
  readonly exact: boolean;
  /** Why it can't be decided: then it counts as found. */
  readonly undecided?: string;
}

/**
 * A person filled in a tool's form on the page and sent it: the yes to this very call. Set by the hub from who
 * asks, never from what is asked: neither a model nor a host can give it.
 */
export interface Consent {
  readonly kind: 'form';
}

export type Question =
  | (QuestionBase & { readonly action: 'connect' | 'list' })
  | (QuestionBase & {
      readonly action: 'call';
      readonly account?: AskedAccount | undefined;
      readonly tool: AskedTool;
      readonly args: JsonObject;
      readonly origins: readonly DataOrigin[];
      readonly consent?: Consent | undefined;
      /** Read-only mode for this caller, beside the global switch. */
      readonly bar?: ReadOnlyBar | undefined;
    });

export type CallQuestion = Extract<Question, { readonly action: 'call' }>;

export type DecidedBy =
  | { readonly kind: 'undecidable'; readonly problem: string }
  | { readonly kind: 'quarantine' }
  | { readonly kind: 'read_only'; readonly bar: ReadOnlyBar }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'rule'; readonly name: string; readonly approvers?: Approvers }
  | { readonly kind: 'data_rule'; readonly name: string; readonly origin: DataOrigin }
  | { readonly kind: 'grant'; readonly id: string }
  | { readonly kind: 'trust'; readonly trust: Trust }
  | { readonly kind: 'consent'; readonly consent: Consent }
  | { readonly kind: 'default'; readonly path: string };

/** Of a team: its admins, or the people of a group. */
export type Approvers = 'admins' | { readonly group: string };

export interface Decision {
  readonly effect: Effect;
  readonly by: DecidedBy;
  readonly reason: string;
  /** What the person may choose to remember. Never “always” for destructive or flagged tools. */
  readonly offers: readonly GrantOffer[];
}

export type GrantOffer = 'once' | 'session' | 'tool' | 'reads' | 'arguments';

/** Who has to say yes; undefined where it is the person themselves. */
export function approversOf({ by }: Pick<Decision, 'by'>): Approvers | undefined {
  return by.kind === 'rule' ? by.approvers : undefined;
}

export interface PolicyDefaults {
  readonly connect: Effect;
  readonly list: Effect;
  /** `read` is for trusted servers; elsewhere a read counts as `unknown`. */
  readonly call: Readonly<Record<Risk, Effect>>;
}
