import type { ErrorCode, Owner } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';

/** Finding out what is wrong, and moving to another machine. */

// ── Doctor ─────────────────────────────────────────────────────────────────

export interface DoctorApi {
  /**
   * Looks at everything, or at one server, from cause to effect. Changes nothing and calls no tool;
   * with `live` each server is started and asked for one safe read. Rows come as progress too.
   */
  run(request?: DoctorRequest, options?: DoctorOptions): Promise<DoctorReport>;
  /** Carries out fixes that a report has offered, by their ids. */
  fix(request: { readonly fixes: readonly string[] }): Promise<readonly FixOutcome[]>;
}

export interface DoctorRequest {
  readonly server?: string;
  readonly live?: boolean;
}

export interface DoctorOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (row: DoctorRow) => void;
}

export interface DoctorRow {
  /** What was looked at: a step of the chain of a server, or something of the machine. */
  readonly check: DoctorCheck;
  readonly server?: string;
  /** `skip`: an earlier step failed, or nothing is known before a start: this one could say nothing. */
  readonly status: 'pass' | 'warn' | 'fail' | 'skip';
  /** In one sentence. */
  readonly says: string;
  /** What it rests on: paths that were tried, lines of a log. */
  readonly details?: readonly string[];
  /** What went wrong, for programs. */
  readonly cause?: ErrorCode;
  readonly owner?: Owner;
  /** The next command or step. */
  readonly next?: string;
  /** What can be done without anybody else; done only when asked for. */
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

// ── Backup ─────────────────────────────────────────────────────────────────

export interface BackupsApi {
  /** Servers, profiles, grants, pins, settings of tools, models and rules; secrets only with a passphrase. */
  make(request?: { readonly passphrase?: string }): Promise<Backup>;
  /** What a restore would do, without doing it. */
  check(request: RestoreRequest): Promise<RestoreOutcome>;
  /** What is here already under the same name stays, unless `replace`. */
  restore(request: RestoreRequest): Promise<RestoreOutcome>;
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

export interface RestoreRequest {
  readonly backup: JsonObject;
  readonly passphrase?: string;
  readonly replace?: boolean;
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
