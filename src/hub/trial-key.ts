import type { ConnectionStore } from '../connections/store.ts';

/** No server's id holds an `@`, and no folder's place is called so. */
const TRIAL = '@try';

/** The key of a server while it is tried: whatever runs under its id already goes on. */
export function trialKey(id: string): string {
  return `${id}${TRIAL}`;
}

/** A server that is only tried leaves nothing in the database: neither manifest, verdict nor event. */
export function unwrittenTrials(store: ConnectionStore): ConnectionStore {
  const write = async (server: string, put: () => Promise<void>): Promise<void> => {
    if (!server.endsWith(TRIAL)) await put();
  };
  return {
    ...store,
    putManifest: (owner, manifest) => write(manifest.server, () => store.putManifest(owner, manifest)),
    putVerdict: (owner, verdict) => write(verdict.server, () => store.putVerdict(owner, verdict)),
    appendEvent: (owner, event) => write(event.server, () => store.appendEvent(owner, event)),
  };
}
