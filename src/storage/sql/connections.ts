import type { Kysely } from 'kysely';
import type { Manifest } from '../../connections/manifest.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { ConnectionStore, EventQuery, ProcessRecord, Verdict } from '../../connections/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { Documents } from './documents.ts';
import { Events } from './events.ts';
import { Processes } from './processes.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlConnectionStore implements ConnectionStore {
  readonly #manifests: Documents<Manifest>;
  readonly #verdicts: Documents<Verdict>;
  readonly #events: Events;
  readonly #processes: Processes;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#manifests = new Documents(db, run, 'manifests');
    this.#verdicts = new Documents(db, run, 'verdicts');
    this.#events = new Events(db, run);
    this.#processes = new Processes(db, run);
  }

  async listManifests(owner: OwnerId): Promise<readonly Manifest[]> {
    return sortedBy(await this.#manifests.list(owner), (manifest) => manifest.server);
  }

  getManifest(owner: OwnerId, server: string): Promise<Manifest | undefined> {
    return this.#manifests.get(owner, server);
  }

  putManifest(owner: OwnerId, manifest: Manifest): Promise<void> {
    return this.#manifests.put(owner, manifest.server, manifest);
  }

  deleteManifest(owner: OwnerId, server: string): Promise<boolean> {
    return this.#manifests.delete(owner, server);
  }

  getVerdict(owner: OwnerId, server: string): Promise<Verdict | undefined> {
    return this.#verdicts.get(owner, server);
  }

  putVerdict(owner: OwnerId, verdict: Verdict): Promise<void> {
    return this.#verdicts.put(owner, verdict.server, verdict);
  }

  deleteVerdict(owner: OwnerId, server: string): Promise<boolean> {
    return this.#verdicts.delete(owner, server);
  }

  appendEvent(owner: OwnerId, event: ServerEvent): Promise<void> {
    return this.#events.append(owner, event);
  }

  listEvents(owner: OwnerId, query: EventQuery): Promise<readonly ServerEvent[]> {
    return this.#events.list(owner, query);
  }

  pruneEvents(owner: OwnerId, keep: number): Promise<number> {
    return this.#events.prune(owner, keep);
  }

  listProcesses(): Promise<readonly ProcessRecord[]> {
    return this.#processes.list();
  }

  putProcess(record: ProcessRecord): Promise<void> {
    return this.#processes.put(record);
  }

  deleteProcess(hub: string, pid: number): Promise<boolean> {
    return this.#processes.delete(hub, pid);
  }
}
