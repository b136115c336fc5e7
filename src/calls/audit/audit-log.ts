import type { Cancel, Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { TaskGroup } from '../../base/tasks.ts';
import type { OwnerId } from '../../servers/store.ts';
import type {
  AuditFigures,
  AuditPage,
  AuditParts,
  AuditQuery,
  AuditRecord,
  AuditStore,
} from '../audit-record.ts';
import { cutText } from '../results/cut.ts';
import { excerptOfObject } from '../results/excerpt.ts';
import { AuditQueue } from './audit-queue.ts';
import { Journal, readLeftBehind } from './journal.ts';

export interface AuditLogOptions {
  readonly store: AuditStore;
  readonly owner: OwnerId;
  /** For the journal; absent where nothing is kept anyway (storage in memory). */
  readonly folder?: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly tasks: TaskGroup;
  /** Takes secrets out of arguments and messages. */
  readonly redact: <T>(value: T) => T;
  /** By the server's id; recording can be switched off for a server. */
  readonly isRecorded: (server: string) => boolean;
  /** For how long records are kept, asked at every pruning; default `auditKeepMs`. */
  readonly keepMs?: () => number;
}

/**
 * What happened. A record is on disk when `record` is done, in a journal that costs microseconds;
 * the database gets it in batches a moment later. Nothing is dropped: when the database is stuck
 * and too much waits for it, calls wait too.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #queue: AuditQueue;
  #stopPruning: Cancel | undefined;

  private constructor(options: AuditLogOptions, queue: AuditQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** Stores what an earlier process left behind before anything else is recorded. */
  static async open(options: AuditLogOptions): Promise<AuditLog> {
    const { folder, store, owner, ids, limits, logger, tasks, clock } = options;
    if (folder !== undefined) await storeLeftBehind(folder, options);
    const journal = folder === undefined ? undefined : new Journal(folder, ids.next('journal'));
    const queue = new AuditQueue({
      append: (records) => store.appendAudit(owner, records),
      journal,
      clock,
      ids,
      limits,
      logger,
    });
    const log = new AuditLog(options, queue);
    const prune = (): void => tasks.run('prune the audit log', async () => void (await log.prune()));
    prune();
    log.#stopPruning = clock.every(limits.auditPruneMs, prune);
    return log;
  }

  /**
   * Undefined when there is room for another record; else a promise for it. Awaited before a call
   * is made, so that no call is made that could not be recorded.
   */
  room(): Promise<void> | undefined {
    return this.#queue.room();
  }

  /** Kept when this returns, or when the promise resolves that it returned. */
  record(record: AuditRecord): Promise<void> | undefined {
    if (!this.#options.isRecorded(record.server)) return undefined;
    return this.#queue.add(this.#shortened(record));
  }

  /** Newest first; what was recorded before the question is in the answer. */
  async query(query: Partial<AuditQuery> = {}): Promise<AuditPage> {
    const { store, owner, limits } = this.#options;
    await this.#queue.flushInTime();
    const limit = Math.min(query.limit ?? limits.auditPageShown, limits.auditPageMax);
    return store.queryAudit(owner, { ...query, limit });
  }

  /** How many calls there were in each part of a time, and how they went. */
  async sum(parts: AuditParts): Promise<readonly AuditFigures[]> {
    const { store, owner } = this.#options;
    await this.#queue.flushInTime();
    return store.sumAudit(owner, parts);
  }

  /** Also of what waits for the database: it must not come in after its time. */
  async prune(): Promise<number> {
    const { store, owner, clock, limits, keepMs = () => limits.auditKeepMs } = this.#options;
    await this.#queue.flushInTime();
    return store.pruneAudit(owner, {
      before: clock.now() - keepMs(),
      keep: limits.auditRecordsMax,
    });
  }

  /** Stores what waits. What cannot be stored stays in the journal for the next start. */
  async close(): Promise<void> {
    this.#stopPruning?.();
    await this.#queue.close();
  }

  /** Redacted first: a secret that is cut in half would not be recognised. */
  #shortened(record: AuditRecord): AuditRecord {
    const { redact, limits } = this.#options;
    const args: JsonObject = excerptOfObject(redact(record.args), limits.auditArgsBytesMax);
    if (!record.error) return args === record.args ? record : { ...record, args };
    const message = cutText(redact(record.error.message), limits.auditMessageCharsMax);
    return { ...record, args, error: { ...record.error, message } };
  }
}

async function storeLeftBehind(folder: string, options: AuditLogOptions): Promise<void> {
  const { store, owner, limits, logger } = options;
  const left = readLeftBehind(folder);
  if (left.unreadable > 0) logger.warn('unfinished audit records were left out', { count: left.unreadable });
  try {
    for (let from = 0; from < left.records.length; from += limits.auditBatch) {
      await store.appendAudit(owner, left.records.slice(from, from + limits.auditBatch));
    }
  } catch (error) {
    throw new PlugError('storage_failed', `Earlier audit records could not be stored: ${messageOf(error)}`, {
      owner: 'plugboard',
      next: 'Check the disk and the database, then start the hub again: plug hub start',
      cause: error,
    });
  }
  left.drop();
}
