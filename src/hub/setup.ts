import type { ErrorView } from '../base/errors.ts';
import type { ClientEdit, UsedClient } from './client-files.ts';
import type { ImportFind, ImportOutcome, ImportProblem } from './plans.ts';
import type { ServerView } from './servers.ts';

export interface SetupPlan {
  /** Servers of other clients that would be imported. */
  readonly found: readonly ImportFind[];
  /** Found and not imported, with the reason in `skipped`. */
  readonly skipped: readonly ImportFind[];
  readonly problems: readonly ImportProblem[];
  /** Clients that are used here. One without `edit` can't be connected, for the reason in `error`. */
  readonly clients: readonly PlannedClient[];
}

export interface PlannedClient extends UsedClient {
  readonly edit?: ClientEdit;
  readonly error?: ErrorView;
}

export interface SetupOutcome {
  /** Absent when there was nothing to change. */
  readonly change?: string;
  readonly imported: ImportOutcome['imported'];
  readonly skipped: ImportOutcome['skipped'];
  readonly failed: ImportOutcome['failed'];
  readonly connected: readonly ClientEdit[];
  readonly unconnected: readonly { readonly client: string; readonly error: ErrorView }[];
  readonly servers: readonly ServerView[];
  readonly call: FirstCall;
}

/** The one call of a setup. `none`: no server works that has a tool known to be safe. */
export type FirstCall =
  | { readonly kind: 'done'; readonly tool: string; readonly text: string; readonly ms: number }
  | { readonly kind: 'failed'; readonly tool: string; readonly error: ErrorView }
  | { readonly kind: 'none'; readonly why: string };
