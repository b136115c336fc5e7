import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { CauseContext } from './causes/known-causes.ts';
import type { Manifest } from './manifest.ts';
import type { OpenSession, OpenedSession } from './open-session.ts';
import type { EventActor, EventKind, ServerState } from './state.ts';

/** A change of state that is worth keeping. */
export interface Occurrence {
  readonly kind: EventKind;
  readonly by: EventActor;
  readonly reason: string;
}

/** What a connection tells the pool. */
export interface ConnectionEvents {
  onState(state: ServerState, event?: Occurrence): void;
  /** Resolves when the manifest is stored. */
  onManifest(manifest: Manifest): Promise<void>;
  onResourceUpdate(uri: string): void;
  onLog(entry: { readonly level: string; readonly logger?: string; readonly data: Json }): void;
  onHostWanted(): void;
}

export interface ConnectionOptions {
  /** For error texts: the name that the user knows. */
  readonly server: string;
  /** What the table of causes has to know of it; asked at each failure, as definitions change. */
  readonly causes: () => CauseContext;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  /** Asked at each start, as definitions change. */
  readonly startTimeoutMs: () => number;
  readonly open: OpenSession;
  readonly readManifest: (opened: OpenedSession, signal: AbortSignal) => Promise<Manifest>;
  readonly events: ConnectionEvents;
}
