import type { ConnectionStore } from '../connections/store.ts';
import type { Redaction } from './redaction.ts';

/** What is kept of connections holds no secret either: events quote servers, manifests are written by them. */
export function redactedStore(store: ConnectionStore, redaction: Redaction): ConnectionStore {
  return {
    listManifests: (owner) => store.listManifests(owner),
    getManifest: (owner, server) => store.getManifest(owner, server),
    putManifest: (owner, manifest) => store.putManifest(owner, redaction.redactForeign(manifest)),
    deleteManifest: (owner, server) => store.deleteManifest(owner, server),
    getVerdict: (owner, server) => store.getVerdict(owner, server),
    putVerdict: (owner, verdict) => store.putVerdict(owner, verdict),
    deleteVerdict: (owner, server) => store.deleteVerdict(owner, server),
    appendEvent: (owner, event) =>
      store.appendEvent(owner, { ...event, reason: redaction.redactText(event.reason) }),
    listEvents: (owner, query) => store.listEvents(owner, query),
    pruneEvents: (owner, keep) => store.pruneEvents(owner, keep),
    listProcesses: () => store.listProcesses(),
    putProcess: (record) => store.putProcess(record),
    deleteProcess: (hub, pid) => store.deleteProcess(hub, pid),
  };
}
