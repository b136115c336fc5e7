import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { JsonObject } from '../../base/json.ts';
import type { FileJournal, WrittenFile } from '../../servers/clients/file-journal.ts';
import type { ChangeKind } from '../changes.ts';
import type { Core } from '../core.ts';
import type { Change, FilePart, HostPart, SecretPart, ServerPart } from './change.ts';
import { forgetKept, keepBytes, keepSecret } from './kept-values.ts';
import { sameServer, secretsOfServers, snapshotOf } from './snapshot.ts';

export type JournalParts = Pick<Core, 'storage' | 'vault' | 'owner' | 'clock' | 'ids' | 'limits'>;

export interface NewChange {
  readonly kind: ChangeKind;
  readonly names: readonly string[];
  /** Servers whose definition, settings or keys it may touch. */
  readonly servers?: readonly string[];
}

/**
 * Everything that Plugboard changed in its own definitions and in other clients' files, with what is needed to
 * undo it. Invariant: a change is in the store before anything is touched, so that a crash can be undone too.
 */
export class ChangeJournal {
  readonly #parts: JournalParts;
  readonly #running = new Set<string>();
  /** Places are handed out one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async list(): Promise<readonly Change[]> {
    const { storage, owner } = this.#parts;
    const rows = await storage.changes.listChanges(owner);
    return rows
      .toSorted((a, b) => b.place - a.place)
      .map(({ id, place, body }) => ({ ...(body as unknown as Change), id, place })); // put() takes changes only
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Records whatever `work` does to these servers; what changed nothing leaves no record. */
  async during<T>(what: NewChange, work: (change: OpenChange) => Promise<T>): Promise<T> {
    const change = await this.begin(what);
    try {
      return await work(change);
    } finally {
      await change.finish();
    }
  }

  begin(what: NewChange): Promise<OpenChange> {
    return this.alone(() => this.#begin(what));
  }

  /** Nothing is begun meanwhile: what is undone stays the last change until it is gone. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = Promise.allSettled([mine]);
    return mine;
  }

  async forget({ id }: Pick<Change, 'id'>): Promise<void> {
    const { storage, owner } = this.#parts;
    await storage.changes.deleteChange(owner, id);
    await forgetKept(this.#parts, id);
  }

  /** A key has its old value again, in a record of another version: earlier changes know it by that one. */
  async renumber(name: string, was: number, is: number): Promise<void> {
    for (const change of await this.list()) {
      if (!change.secrets.some((secret) => secret.name === name)) continue;
      const moved = (version: number | undefined): number | undefined => (version === was ? is : version);
      const secrets = change.secrets.map((secret) =>
        secret.name === name
          ? { ...secret, ...defined({ before: moved(secret.before), after: moved(secret.after) }) }
          : secret,
      );
      await putChange(this.#parts, { ...change, secrets });
    }
  }

  async #begin({ kind, names, servers = [] }: NewChange): Promise<OpenChange> {
    const { ids, clock } = this.#parts;
    const known = await this.list();
    await this.#prune(known);
    const head = { id: ids.next('change'), place: (known[0]?.place ?? 0) + 1, at: clock.now(), kind, names };
    const change = new OpenChange(this.#parts, head, () => this.#running.delete(head.id));
    this.#running.add(head.id);
    try {
      await change.addServers(servers);
    } catch (error) {
      await change.finish();
      throw error;
    }
    return change;
  }

  async #prune(known: readonly Change[]): Promise<void> {
    const { clock, limits } = this.#parts;
    const oldest = clock.now() - limits.changesKeptMs;
    for (const [index, change] of known.entries()) {
      if (index >= limits.changesKeptMax - 1 || change.at < oldest) await this.forget(change);
    }
  }
}

type Head = Pick<Change, 'id' | 'place' | 'at' | 'kind' | 'names'>;

/** A change under way. Parts are added before what they describe is touched. */
export class OpenChange implements FileJournal {
  readonly #parts: JournalParts;
  readonly #head: Head;
  readonly #onEnd: () => void;
  readonly #servers = new Map<string, ServerPart>();
  readonly #secrets = new Map<string, SecretPart>();
  readonly #files = new Map<string, FilePart>();
  readonly #hosts = new Map<string, HostPart>();
  #kept = 0;

  constructor(parts: JournalParts, head: Head, onEnd: () => void) {
    this.#parts = parts;
    this.#head = head;
    this.#onEnd = onEnd;
  }

  get id(): string {
    return this.#head.id;
  }

  async addServers(ids: readonly string[]): Promise<void> {
    const fresh = ids.filter((id) => !this.#servers.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) this.#servers.set(id, { id, before: await snapshotOf(this.#parts, id) });
    for (const [name, before] of await secretsOfServers(this.#parts, new Set(fresh))) {
      const kept = await keepSecret(this.#parts, name, `${this.id}:secret:${name}`);
      this.#secrets.set(name, { name, before, ...defined({ kept }) });
    }
    await this.#put('open');
  }

  async addHost(name: string): Promise<void> {
    const { storage, owner } = this.#parts;
    const before = (await storage.policy.listHosts(owner)).find((host) => host.name === name);
    this.#hosts.set(name, { name, ...defined({ before }) });
    await this.#put('open');
  }

  async note({ before, after, backup, ...file }: WrittenFile): Promise<void> {
    const known = this.#files.get(file.path);
    const found = before && hash('sha256', before.bytes);
    // Told again of the same write, or of a second one: what was there first is what to go back to. Otherwise its
    // owner wrote the file before us.
    const first =
      known && (found === known.before?.hash || found === known.afterHash) ? known.before : undefined;
    const name = `${this.id}:file:${this.#kept++}`;
    const kept = before && !first ? await keepBytes(this.#parts, name, before.bytes) : undefined;
    const isNext = known !== undefined && found === known.afterHash;
    const state = first ?? (before && kept && { kept, hash: found ?? '', mode: before.mode });
    this.#files.set(file.path, {
      ...file,
      ...(state === undefined || (isNext && !known.before) ? {} : { before: state }),
      folders: known?.folders ?? file.folders,
      backups: [...new Set([...(known?.backups ?? []), ...(backup === undefined ? [] : [backup])])],
      ...(after ? { afterHash: hash('sha256', after) } : {}),
    });
    await this.#put('open');
  }

  async foldersMadeFor(path: string): Promise<readonly string[]> {
    const { storage, owner } = this.#parts;
    const changes = (await storage.changes.listChanges(owner))
      .map(({ body }) => body as unknown as Change) // put() takes changes only
      .toSorted((a, b) => b.place - a.place);
    const parts = changes.flatMap(({ files }) => files.filter((file) => file.path === path));
    return parts.find(({ before, afterHash }) => !before && afterHash !== undefined)?.folders ?? [];
  }

  /** Completes the record; may be called once the work has failed, too: then it has what was done so far. */
  async finish(): Promise<void> {
    const { storage, owner } = this.#parts;
    try {
      const ids = [...this.#servers.keys()];
      const secrets = await secretsOfServers(this.#parts, new Set(ids));
      for (const [id, part] of this.#servers)
        this.#servers.set(id, { ...part, after: await snapshotOf(this.#parts, id) });
      for (const name of new Set([...this.#secrets.keys(), ...secrets.keys()])) {
        const part = this.#secrets.get(name) ?? { name };
        this.#secrets.set(name, { ...part, ...defined({ after: secrets.get(name) }) });
      }
      const hosts = await storage.policy.listHosts(owner);
      for (const [name, part] of this.#hosts) {
        const after = hosts.find((host) => host.name === name);
        this.#hosts.set(name, { ...part, ...defined({ after }) });
      }
      if (this.#didSomething()) await this.#put('done');
      else {
        await storage.changes.deleteChange(owner, this.id);
        await forgetKept(this.#parts, this.id);
      }
    } finally {
      this.#onEnd();
    }
  }

  #didSomething(): boolean {
    const secrets = [...this.#secrets.values()].some(({ before, after }) => before !== after);
    const servers = [...this.#servers.values()].some(
      ({ before, after }) => after === undefined || !sameServer(before, after),
    );
    return servers || secrets || this.#files.size > 0;
  }

  async #put(state: Change['state']): Promise<void> {
    await putChange(this.#parts, {
      ...this.#head,
      state,
      files: [...this.#files.values()],
      servers: [...this.#servers.values()],
      secrets: [...this.#secrets.values()],
      hosts: [...this.#hosts.values()],
    });
  }
}

async function putChange({ storage, owner }: JournalParts, change: Change): Promise<void> {
  const { id, place } = change;
  await storage.changes.putChange(owner, { id, place, body: change as unknown as JsonObject }); // plain JSON
}
