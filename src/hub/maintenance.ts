import type { NextStep } from '../base/remedy.ts';
import type { ErrorCode, Owner } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';

export interface DoctorRow extends NextStep {
  readonly check: DoctorCheck;
  readonly server?: string;
  /** `skip`: an earlier step failed, or nothing is known before a start: this one could say nothing. */
  readonly status: 'pass' | 'warn' | 'fail' | 'skip';
  readonly says: string;
  /** What it rests on: paths that were tried, lines of a log. */
  readonly details?: readonly string[];
  readonly cause?: ErrorCode;
  readonly owner?: Owner;
  /** Carried out only when asked for. */
  readonly fix?: { readonly id: string; readonly says: string };
}

/** The chain of a server, in order; then the machine. */
export type DoctorCheck =
  | 'config'
  | 'variables'
  | 'command'
  | 'endpoint'
  | 'spawn'
  | 'stderr'
  | 'handshake'
  | 'auth'
  | 'tools'
  | 'pins'
  | 'live'
  | 'hub'
  | 'files'
  | 'near-miss'
  | 'runtimes'
  | 'vault'
  | 'storage'
  | 'packages'
  | 'orphans'
  | 'clock'
  | 'proxy'
  | 'models'
  | 'rules';

export interface DoctorReport {
  readonly rows: readonly DoctorRow[];
  readonly counts: Readonly<Record<DoctorRow['status'], number>>;
  readonly version: string;
  readonly at: number;
}

export interface FixOutcome {
  readonly id: string;
  readonly done: boolean;
  readonly says: string;
}

/** One JSON document; its `version` says how to read the rest. */
export interface Backup {
  readonly plugboard: 'backup';
  readonly version: 1;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly contents: JsonObject;
  /** Sealed under the passphrase; absent when none was given. */
  readonly secrets?: JsonObject;
}

export interface RestoreOutcome {
  readonly restored: readonly RestoredThing[];
  /** Was here already and stays as it is. */
  readonly kept: readonly RestoredThing[];
  readonly failed: readonly (RestoredThing & { readonly reason: string })[];
  /** What a person still has to do: keys that were not in the backup, sign-ins, missing runtimes. */
  readonly todo: readonly string[];
}

export interface RestoredThing {
  readonly kind:
    | 'server'
    | 'setting'
    | 'profile'
    | 'grant'
    | 'pin'
    | 'tool'
    | 'model'
    | 'account'
    | 'rules'
    | 'file'
    | 'secret'
    | 'trust';
  readonly name: string;
  /** What it comes to, where a person should see it first: the command line of a server. */
  readonly says?: string;
}

export interface Settings {
  readonly retention: Retention;
  /** The switch for everything: only what is known to read is offered, and runs. */
  readonly readOnly: boolean;
  /** Local servers are declined; set where the hub is started, not here. */
  readonly remoteOnly: boolean;
}

export interface Retention {
  readonly callDays: number;
  readonly resultDays: number;
}
