/** What Plugboard did to servers or to other clients' files. */
export type ChangeKind =
  | 'add'
  | 'replace'
  | 'remove'
  | 'enable'
  | 'disable'
  | 'set'
  | 'apply'
  | 'import'
  | 'connect'
  | 'disconnect'
  | 'setup'
  | 'update';

/** A change that can be undone. */
export interface ChangeView {
  readonly id: string;
  readonly at: number;
  readonly kind: ChangeKind;
  /** Such as “Added github.” */
  readonly says: string;
  readonly servers: readonly string[];
  readonly files: readonly string[];
  /** It was cut off, or is still under way. */
  readonly unfinished?: true;
}

/** Lines of a file that differ, and where. */
export interface TextDifference {
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface UndoneFile {
  readonly client: string;
  readonly path: string;
  /**
   * `restored`: the bytes from before. `removed`: Plugboard had made it. `entry`: others wrote it since, so only
   * our entry was changed. `same`: nothing to do. `conflict`: somebody changed our part of it; left alone.
   */
  readonly outcome: 'restored' | 'removed' | 'entry' | 'same' | 'conflict';
  readonly change?: TextDifference;
  readonly why?: string;
  /** With `force`: where the file as it was found is kept. */
  readonly backup?: string;
}

export interface UndoneServer {
  readonly id: string;
  readonly outcome: 'restored' | 'removed' | 'same' | 'conflict';
  readonly fields: readonly { readonly field: string; readonly before?: string; readonly after?: string }[];
  readonly why?: string;
}

export interface UndoOutcome {
  /** Absent: there is nothing to undo. */
  readonly change?: ChangeView;
  /** False for a preview, and when a conflict kept it from being done. */
  readonly done: boolean;
  readonly files: readonly UndoneFile[];
  readonly servers: readonly UndoneServer[];
  /** What could not come back by itself: keys to give again, accounts to sign in to. */
  readonly todo: readonly string[];
  /** How many changes can still be undone. */
  readonly left: number;
}
