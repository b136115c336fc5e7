import type { JsonObject } from '../base/json.ts';
import type { Flag } from '../catalog/tool.ts';
import type { Risk } from '../catalog/risk.ts';
import type { ReadOnlyBar } from '../servers/read-only.ts';

export type Effect = 'allow' | 'ask' | 'deny';

/** Kept: until it is taken back. Session: until the hub stops. */
export type Trust = 'none' | 'session' | 'kept';

/** Whoever asks. A person may answer their own question; a program or a model may not. */
export interface Requester {
  readonly kind: 'person' | 'host' | 'program';
  /** Of the attached host, or of the client that is connected to the hub. */
  readonly id: string;
  /** As shown to people, such as “Claude Code”. */
  readonly name?: string;
  /** The client through which a host speaks: it is as little a judge of the host's calls as the host. */
  readonly through?: string;
}

/** Whether this is the asker, by whichever of its ids. */
export function isRequester({ id, through }: Requester, by: string): boolean {
  return by === id || by === through;
}

interface Asked {
  /** Whose grants count. */
  readonly principal: string;
  readonly requester: Requester;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly server: AskedServer;
}

export interface AskedServer {
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly trust: Trust;
}

/** Who we are at the server, for the whole call: decided on, used and recorded. */
export interface AskedAccount {
  /** Of the very identity: changes when somebody else signs in under the same name. */
  readonly id: string;
  /** Ours. */
  readonly name: string;
  /** For people: ours and the server's, as in `work (@bob)`. */
  readonly shown: string;
  readonly isDefault: boolean;
}

export interface AskedTool {
  readonly name: string;
  readonly risk: Risk;
  readonly hash: string;
  readonly flags: readonly Flag[];
  /** Its definition is not the one that was approved. */
  readonly quarantined: boolean;
}

/** Other servers whose answers appear in these arguments. */
export interface DataOrigin {
  readonly server: string;
  readonly tool: string;
  /** Path of the argument, such as `body.text`; empty for several together. */
  readonly argument: string;
  /** The beginning of what was found again. */
  readonly sample: string;
  readonly exact: boolean;
  /** Why nobody can tell whether it is there: then it counts as if it were. */
  readonly undecided?: string;
}

/** Everything that a decision may depend on; nothing else does. */
export type Question =
  | (Asked & { readonly action: 'connect' | 'list' })
  | (Asked & {
      readonly action: 'call';
      /** Absent where there are no accounts. */
      readonly account?: AskedAccount | undefined;
      readonly tool: AskedTool;
      readonly args: JsonObject;
      readonly origins: readonly DataOrigin[];
      /** What lets only reads of this caller through, beside the switch for everything. */
      readonly bar?: ReadOnlyBar | undefined;
    });

export type CallQuestion = Extract<Question, { readonly action: 'call' }>;

/** The rule that decided, so that every answer can be explained. */
export type DecidedBy =
  | { readonly kind: 'undecidable'; readonly problem: string }
  | { readonly kind: 'quarantine' }
  | { readonly kind: 'read_only'; readonly bar: ReadOnlyBar }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'data_rule'; readonly name: string; readonly origin: DataOrigin }
  | { readonly kind: 'grant'; readonly id: string }
  | { readonly kind: 'trust'; readonly trust: Trust }
  | { readonly kind: 'default'; readonly path: string };

export interface Decision {
  readonly effect: Effect;
  readonly by: DecidedBy;
  /** A sentence for people and models. */
  readonly reason: string;
  /** When it asks: what the person may choose to be remembered. Never “always” for what is destructive or flagged. */
  readonly offers: readonly GrantOffer[];
}

/** What an answer can leave behind. */
export type GrantOffer = 'once' | 'session' | 'tool' | 'reads' | 'arguments';

/** What happens where nothing else decides. */
export interface PolicyDefaults {
  readonly connect: Effect;
  readonly list: Effect;
  /** `read` is for trusted servers; on any other one a read counts as `unknown`. */
  readonly call: Readonly<Record<Risk, Effect>>;
}
