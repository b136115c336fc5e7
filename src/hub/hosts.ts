import type { HostHandlers } from '../connections/host.ts';
import type { Era } from '../connections/manifest.ts';
import type { StoredHost } from '../policy/store.ts';

export type HostView = Omit<StoredHost, 'digest'>;

export interface AddedHost {
  readonly host: HostView;
  /** Told now and never again: a digest of it is all that is kept. */
  readonly token: string;
}

export interface HostOptions {
  readonly name: string;
  readonly handlers: HostHandlers;
  /** Of an MCP host: servers of both eras are asked on a connection of its own era. */
  readonly era?: Era;
  /** Where the host works: per-host servers start there. */
  readonly cwd?: string;
}

export interface AttachedHost extends AsyncDisposable {
  readonly id: string;
  /** Tells its own servers to ask for its roots again. In-process only. */
  rootsChanged(): void;
  close(): Promise<void>;
}
