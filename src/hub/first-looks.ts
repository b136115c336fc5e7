import { timeoutSignal } from '../base/clock.ts';
import type { Limits } from '../base/limits.ts';
import type { PooledServer } from '../connections/pool.ts';
import { textsOf } from '../servers/outside-references.ts';
import { findPlaceholders } from '../servers/placeholders.ts';
import type { Core } from './core.ts';

type Parts = Pick<Core, 'pool' | 'clock' | 'tasks' | 'storage' | 'owner' | 'decisions'> & {
  readonly limits: Limits;
};

interface Look {
  readonly server: PooledServer;
  /** Throws when the server must not run: disabled, untrusted, denied by a rule, gone. */
  readonly usable: (id: string) => PooledServer;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Fetches the manifests of servers that have none, in the background, so that hosts see their tools
 * before anyone has used them. Polite: a few at a time, each once, and what it started it stops again.
 */
export class FirstLooks {
  readonly #parts: Parts;
  readonly #waiting = new Map<string, Look>();
  readonly #running = new Map<string, Look>();
  /** By server: the fingerprint that was looked at, so that a failure isn't repeated. */
  readonly #done = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The servers of a workspace that may run; those without a manifest are looked at. */
  offer(servers: readonly PooledServer[], usable: Look['usable']): void {
    for (const server of servers) {
      const { key, fingerprint } = server;
      if (this.#parts.pool.manifest(key) || this.#done.get(key) === fingerprint) continue;
      if (this.whyNot(server) !== undefined) continue;
      // A definition that changed while it waited is looked at as it is now.
      const { ended } = this.#waiting.get(key) ?? { ended: Promise.withResolvers<void>() };
      this.#waiting.set(key, { server, usable, ended });
    }
    if (this.#waiting.size > 0) this.#begin();
  }

  /** Why a server isn't started unasked; undefined when it may be. */
  whyNot({ key, fingerprint, definition }: PooledServer): string | undefined {
    const { source, endpoint } = definition;
    const { trust } = this.#parts.decisions.known;
    const byOthers = source.kind === 'import' && source.author !== 'user';
    if (byOthers && trust.trustOf(key, fingerprint) === 'none')
      return 'It’s from a project file. It starts on first use.';
    const asks = textsOf(endpoint).some(({ text }) =>
      findPlaceholders(text).some(({ kind }) => kind === 'command'),
    );
    return asks ? 'Its key comes from your password manager. It starts on first use.' : undefined;
  }

  /** Resolves when none of these servers is waiting or being looked at. */
  async ended(keys: readonly string[]): Promise<void> {
    const looks = keys.flatMap((key) => this.#waiting.get(key) ?? this.#running.get(key) ?? []);
    await Promise.all(looks.map(({ ended }) => ended.promise));
  }

  #begin(): void {
    const { tasks, clock, limits } = this.#parts;
    const free = limits.firstLooksAtOnceMax - this.#running.size;
    if (free <= 0) return;
    tasks.run('fetch manifests', async (signal) => {
      // Whoever started the hub, or imported the servers, comes first.
      await clock.sleep(limits.firstLookDelayMs, signal);
      await Promise.all(Array.from({ length: free }, () => this.#work(signal)));
    });
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (this.#running.size < this.#parts.limits.firstLooksAtOnceMax && !signal.aborted) {
      const [next] = this.#waiting.values();
      if (!next) return;
      const { key, fingerprint } = next.server;
      this.#waiting.delete(key);
      this.#running.set(key, next);
      const isFirst = !this.#done.has(key);
      this.#done.set(key, fingerprint);
      try {
        if (!isFirst || !(await this.#failedLately(key))) await this.#look(next, signal);
      } finally {
        this.#running.delete(key);
        next.ended.resolve();
      }
    }
  }

  /** A server that failed in an earlier run of the hub isn't tried again with each run. */
  async #failedLately(server: string): Promise<boolean> {
    const { storage, owner, clock, limits } = this.#parts;
    const since = clock.now() - limits.firstLookAgainMs;
    const [last] = await storage.connections.listEvents(owner, { server, since, limit: 1 });
    return last?.kind === 'ERROR' || last?.kind === 'TOKEN_EXPIRED';
  }

  async #look({ server, usable }: Look, signal: AbortSignal): Promise<void> {
    const { pool, clock, limits } = this.#parts;
    const { key, definition } = server;
    // Making room would stop a server that someone uses.
    if (pool.manifest(key) || pool.live >= limits.liveLocalServersMax) return;
    try {
      usable(definition.id);
    } catch {
      return; // disabled or denied meanwhile
    }
    const connection = await pool.connection(key);
    const wasUsed = connection.occupied;
    const bound = AbortSignal.any([signal, timeoutSignal(limits.firstLookMs)]);
    const starting = connection.start('SYSTEM', bound);
    const since = clock.monotonic();
    await Promise.allSettled([starting]); // a failed start is already the state
    const isUsed = wasUsed || connection.busy || connection.idleMs < clock.monotonic() - since;
    if (isUsed || definition.keepAlive || signal.aborted) return;
    if (connection.live) await connection.stop('Asleep. It starts on first use.', 'SYSTEM');
    else if (bound.aborted) await connection.stop('It took too long to start.', 'SYSTEM');
  }
}
