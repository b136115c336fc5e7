import type { Logger } from '../base/logger.ts';
import type { CauseContext } from './causes/known-causes.ts';
import type { Runtime } from './limits.ts';
import type { Manifest } from './manifest.ts';
import type { OpenSession, OpenedSession } from './open-session.ts';
import type { SessionEvents } from './session.ts';
import type { ServerEvent, ServerState } from './state.ts';

/** A change of state that is worth keeping. */
export type Occurrence = Pick<ServerEvent, 'kind' | 'by' | 'reason'>;

/** What a connection tells the pool. */
export interface ConnectionEvents extends Pick<SessionEvents, 'onResourceUpdate' | 'onLog' | 'onHostWanted'> {
  onState(state: ServerState, event?: Occurrence): void;
  /** Resolves when the manifest is stored. */
  onManifest(manifest: Manifest): Promise<void>;
}

export interface ConnectionOptions extends Runtime {
  /** For error texts: the name that the user knows. */
  readonly server: string;
  /** Asked at each failure, as definitions change. */
  readonly causes: () => CauseContext;
  readonly logger: Logger;
  /** Asked at each start, as definitions change. */
  readonly startTimeoutMs: () => number;
  readonly open: OpenSession;
  readonly readManifest: (opened: OpenedSession, signal: AbortSignal) => Promise<Manifest>;
  readonly events: ConnectionEvents;
}
