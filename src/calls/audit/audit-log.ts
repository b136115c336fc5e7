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
  BegunRecord,
  RecordEnding,
} from '../audit-record.ts';
import { cutText } from '../results/cut.ts';
import { excerptOfObject } from '../results/excerpt.ts';
import { stopping } from './audit-errors.ts';
import { AuditQueue, type AuditQueueOptions, type RecordQueue } from './audit-queue.ts';
import { SharedQueue, storeUnended, type SharedJournal } from './shared-queue.ts';
import { verifyChain, type AuditVerification } from './chain.ts';
import { Journal, journalOwner, readLeftBehind } from './journal.ts';
import type { OpenCall } from './waiting-records.ts';
import { textOfBeginning, textOfEnding } from './record-text.ts';

export interface AuditLogOptions {
  readonly store: AuditStore;
  readonly owner: OwnerId;
  /** For the journal; absent with storage in memory. */
  readonly folder?: string | undefined;
  /** The journal in the database, for an owner whom another process may take over. */
  readonly shared?: SharedJournal | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly tasks: TaskGroup;
  readonly redact: <T>(value: T) => T;
  /** By server id; where off, arguments and messages are left out. */
  readonly isRecorded: (server: string) => boolean;
  /** Asked at every pruning; default `auditKeepMs`. */
  readonly keepMs?: () => number;
}

/** A call that can't be recorded isn't made; the database follows the journal in batches. */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #queue: RecordQueue;
  #stopPruning: Cancel | undefined;
  #underWay = 0;
  #idle: PromiseWithResolvers<void> | undefined;
  #closing = false;

  private constructor(options: AuditLogOptions, queue: RecordQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** Stores records left by an earlier process first. */
  static async open(options: AuditLogOptions): Promise<AuditLog> {
    const { limits, tasks, clock } = options;
    const log = new AuditLog(options, await openQueue(options));
    const prune = (): void => tasks.run('prune the audit log', async () => void (await log.prune()));
    if (!options.shared) prune();
    const stops = [
      clock.every(limits.auditPruneMs, prune),
      ...(options.shared ? [clock.after(limits.pruneOfOwnerDelayMs, prune)] : []),
    ];
    log.#stopPruning = () => stops.forEach((stop) => stop());
    return log;
  }

  /** Undefined if a call can be recorded now; otherwise a promise that it can, or rejects with why not. */
  waitForSpace(): Promise<void> | undefined {
    return this.#closing ? Promise.reject(stopping()) : this.#queue.waitForSpace();
  }

  /** No call is under way: neither running nor waiting for an answer. */
  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Closing waits until it `left`. */
  enter(): void {
    this.#underWay += 1;
  }

  left(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#idle?.resolve();
  }

  /** The call may be made only once `written` has resolved. */
  begin(record: BegunRecord): OpenCall {
    return this.#queue.begin(textOfBeginning(this.#kept(record)));
  }

  /** Kept when this returns, or when its promise resolves. */
  end(begun: OpenCall, record: BegunRecord, ending: RecordEnding): Promise<void> | undefined {
    const { at, server, tool } = record;
    const { durationMs, outcome, resultBytes } = ending;
    const text = textOfEnding(this.#keptEnding(server, ending));
    return this.#queue.add({ at, server, tool, outcome, durationMs, resultBytes }, begun, text);
  }

  /** A call that was never made. */
  record(record: AuditRecord): Promise<void> | undefined {
    const beginning = textOfBeginning(this.#kept(record));
    return this.#queue.add(record, { beginning }, textOfEnding(this.#keptEnding(record.server, record)));
  }

  async query(query: Partial<AuditQuery> = {}): Promise<AuditPage> {
    const { store, owner, limits } = this.#options;
    await this.#queue.flushInTime();
    const limit = Math.min(query.limit ?? limits.auditPageShown, limits.auditPageMax);
    return store.queryAudit(owner, { ...query, limit });
  }

  async sum(parts: AuditParts): Promise<readonly AuditFigures[]> {
    const { store, owner } = this.#options;
    await this.#queue.flushInTime();
    return store.sumAudit(owner, parts);
  }

  async verify(): Promise<AuditVerification> {
    const { store, owner, limits } = this.#options;
    await this.#queue.flushInTime();
    return verifyChain(store, owner, { batch: limits.auditVerifyBatch });
  }

  /** Flushes first: a queued record must not arrive after its time. */
  async prune(): Promise<number> {
    const { store, owner, clock, limits, keepMs = () => limits.auditKeepMs } = this.#options;
    await this.#queue.flushInTime();
    return store.pruneAudit(owner, { before: clock.now() - keepMs(), keep: limits.auditRecordsMax });
  }

  /** Waits for running calls and stores what is queued; the rest stays in the journal. */
  async close(): Promise<void> {
    const { clock, limits } = this.#options;
    this.#closing = true;
    this.#stopPruning?.();
    if (this.#underWay > 0) {
      this.#idle = Promise.withResolvers();
      const cancel = clock.after(limits.auditCloseMs, this.#idle.resolve);
      await this.#idle.promise;
      cancel();
    }
    await this.#queue.close();
  }

  /** Redacted before it is cut: half a secret would not be recognized. */
  #kept<T extends BegunRecord>(record: T): T {
    const { redact, limits, isRecorded } = this.#options;
    if (!isRecorded(record.server)) return { ...record, args: {}, leftOut: true };
    const args: JsonObject = excerptOfObject(redact(record.args), limits.auditArgsBytesMax);
    return args === record.args ? record : { ...record, args };
  }

  #keptEnding(server: string, ending: RecordEnding): RecordEnding {
    const { redact, limits, isRecorded } = this.#options;
    const { error } = ending;
    if (!error) return ending;
    const { auditMessageCharsMax } = limits;
    const message = isRecorded(server) ? cutText(redact(error.message), auditMessageCharsMax) : '(left out)';
    return { ...ending, error: { ...error, message } };
  }
}

async function openQueue(options: AuditLogOptions): Promise<RecordQueue> {
  const { folder, shared, store, owner, ids, limits, logger, clock } = options;
  if (shared) {
    await storeUnended(shared, options);
    return new SharedQueue({ ...shared, owner, clock, ids, limits, logger });
  }
  if (folder !== undefined) await storeLeftBehind(folder, options);
  const journal =
    folder === undefined ? undefined : new Journal(folder, await journalOwner(), ids.next('journal'));
  const append: AuditQueueOptions['append'] = (records) => store.appendAudit(owner, records);
  return new AuditQueue({ append, journal, clock, ids, limits, logger });
}

async function storeLeftBehind(folder: string, options: AuditLogOptions): Promise<void> {
  const { store, owner, limits, logger } = options;
  const left = await readLeftBehind(folder);
  if (left.unreadable > 0) logger.warn('unfinished audit records were left out', { count: left.unreadable });
  try {
    for (let from = 0; from < left.records.length; from += limits.auditBatch) {
      await store.appendAudit(owner, left.records.slice(from, from + limits.auditBatch));
    }
  } catch (error) {
    const message = `Earlier audit records could not be stored: ${messageOf(error)}`;
    const remedy = { do: 'start-hub' } as const;
    throw new PlugError('storage_failed', message, { owner: 'plugboard', remedy, cause: error });
  }
  const unknown = left.records.filter(({ outcome }) => outcome === 'unknown').length;
  if (unknown > 0) logger.warn('calls were under way when a hub before this one ended', { count: unknown });
  left.drop();
}
