import { limits } from '../../base/limits.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { ConnectionStore, EventQuery, ProcessRecord, Verdict } from '../../connections/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount, sortedBy } from '../order.ts';
import { MemoryTable } from './table.ts';

/** Processes belong to the machine, not to an owner. */
const NOBODY = '';

export class MemoryConnectionStore implements ConnectionStore {
  readonly #manifests = new MemoryTable<Manifest>();
  readonly #verdicts = new MemoryTable<Verdict>();
  readonly #events = new MemoryTable<ServerEvent>();
  readonly #processes = new MemoryTable<ProcessRecord>();

  async listManifests(owner: OwnerId): Promise<readonly Manifest[]> {
    return sortedBy(this.#manifests.list(owner), (manifest) => manifest.server);
  }

  async getManifest(owner: OwnerId, server: string): Promise<Manifest | undefined> {
    return this.#manifests.get(owner, server);
  }

  async putManifest(owner: OwnerId, manifest: Manifest): Promise<void> {
    this.#manifests.put(manifest, owner, manifest.server);
  }

  async deleteManifest(owner: OwnerId, server: string): Promise<boolean> {
    return this.#manifests.delete(owner, server);
  }

  async getVerdict(owner: OwnerId, server: string): Promise<Verdict | undefined> {
    return this.#verdicts.get(owner, server);
  }

  async putVerdict(owner: OwnerId, verdict: Verdict): Promise<void> {
    this.#verdicts.put(verdict, owner, verdict.server);
  }

  async deleteVerdict(owner: OwnerId, server: string): Promise<boolean> {
    return this.#verdicts.delete(owner, server);
  }

  async appendEvent(owner: OwnerId, event: ServerEvent): Promise<void> {
    if (this.#events.get(owner, event.id)) return;
    this.#events.put(event, owner, event.id);
  }

  async listEvents(owner: OwnerId, query: EventQuery): Promise<readonly ServerEvent[]> {
    return this.#newestFirst(owner)
      .filter((event) => query.server === undefined || event.server === query.server)
      .filter((event) => query.since === undefined || event.at > query.since)
      .slice(0, boundedCount(query.limit, limits.eventsListMax));
  }

  async pruneEvents(owner: OwnerId, keep: number): Promise<number> {
    const kept = boundedCount(keep, Number.MAX_SAFE_INTEGER);
    const byServer = Map.groupBy(this.#newestFirst(owner), (event) => event.server);
    const gone = [...byServer.values()].flatMap((events) => events.slice(kept));
    for (const event of gone) this.#events.delete(owner, event.id);
    return gone.length;
  }

  async listProcesses(): Promise<readonly ProcessRecord[]> {
    return sortedBy(this.#processes.list(NOBODY), (record) => JSON.stringify([record.hub, record.pid]));
  }

  async putProcess(record: ProcessRecord): Promise<void> {
    this.#processes.put(record, NOBODY, record.hub, String(record.pid));
  }

  async deleteProcess(hub: string, pid: number): Promise<boolean> {
    return this.#processes.delete(NOBODY, hub, String(pid));
  }

  /** Among events of one moment the later written is the newer: sorting is stable. */
  #newestFirst(owner: OwnerId): readonly ServerEvent[] {
    return this.#events
      .list(owner)
      .toReversed()
      .toSorted((a, b) => b.at - a.at);
  }
}
