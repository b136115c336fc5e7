import type { Cancel, Clock } from '../../base/clock.ts';
import { ignore, messageOf, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { TeamDatabase } from '../../storage/postgres/team.ts';
import { teamLimits } from '../limits.ts';

export interface ReplicaOptions {
  readonly database: Pick<TeamDatabase, 'replicas' | 'hear' | 'tell'>;
  /** Where the other replicas reach this one. */
  readonly address: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly onNotice: (notice: Notice) => void;
  /** What was said meanwhile is not known: everything may have changed. */
  readonly onMissed: () => void;
  /** The others took this one for dead. Resolves when nothing of what it held is in memory any more. */
  readonly onLost: () => Promise<void>;
}

/** What one replica tells all of them. */
export type Notice =
  /** Somebody was removed, or has another role, or other keys. */
  | { readonly kind: 'people'; readonly removed?: string }
  /** What the team shares was changed. */
  | { readonly kind: 'shared' }
  /** The replica at this address was taken for dead. */
  | { readonly kind: 'gone'; readonly address: string };

/** Where the rows of an owner are held. */
export type Home =
  | { readonly kind: 'here' }
  | { readonly kind: 'away'; readonly replica: string; readonly address: string };

const HERE: Home = { kind: 'here' };

/**
 * One of the processes of a team. The hub of each owner is in the memory of one of them at a time; which
 * one is a row in the database. A replica that has died is found out, and what it held is free.
 */
export class Replica implements AsyncDisposable {
  readonly id: string;
  readonly #options: ReplicaOptions;
  readonly #held = new Set<string>();
  #stopRenewing: Cancel = () => undefined;
  #renewing: Promise<void> | undefined;
  #hearing: AsyncDisposable | undefined;
  /** By the monotonic clock: until then nobody takes this one for dead. */
  #validUntil = 0;
  #isLeaving = false;

  private constructor(options: ReplicaOptions) {
    this.#options = options;
    this.id = options.ids.next('replica');
  }

  static async open(options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(options);
    await replica.#begin();
    return replica;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Takes what nobody living holds. */
  async homeOf(owner: string): Promise<Home> {
    this.#checkValid();
    if (this.#held.has(owner)) return HERE;
    const { replicas } = this.#options.database;
    if (this.#isLeaving) return await this.#elsewhere();
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const holder = await replicas.hold(owner, this.id);
      if (holder === this.id) {
        this.#held.add(owner);
        return HERE;
      }
      const address = await replicas.addressOf(holder);
      if (address !== undefined) return { kind: 'away', replica: holder, address };
    }
    throw busy('Another process of this team is just taking over.');
  }

  /** Before an owner's hub is opened. */
  async hold(owner: string): Promise<void> {
    if ((await this.homeOf(owner)).kind === 'here') return;
    throw busy('Another process of this team serves this now.');
  }

  /** After it was closed. */
  async letGo(owner: string): Promise<void> {
    if (!this.#held.delete(owner)) return;
    await this.#options.database.replicas.letGo(owner, this.id);
  }

  /** Of one that refuses connections: true if what it held is free now. */
  async isGone({ replica, address }: Home & { readonly kind: 'away' }): Promise<boolean> {
    const isGone = await this.#options.database.replicas.removeIfGone(replica);
    if (isGone) await this.tell({ kind: 'gone', address });
    return isGone;
  }

  /** Those who are away hear nothing: they read everything again when they are back. */
  async tell(notice: Notice): Promise<void> {
    try {
      await this.#options.database.tell(JSON.stringify(notice));
    } catch (error) {
      this.#options.logger.warn('the other replicas were not told', { error: messageOf(error) });
    }
  }

  /** Takes no more owners; those it holds stay until they are let go. */
  leave(): void {
    this.#isLeaving = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
    this.#stopRenewing();
    await this.#renewing;
    await this.#hearing?.[Symbol.asyncDispose]();
    const { database, clock } = this.#options;
    await database.replicas.remove(this.id);
    // One that has read just before that we hold something still sends it here, and is told that it has moved.
    if ((await database.replicas.others(this.id)).length > 0) await clock.sleep(teamLimits.lingerMs);
  }

  async #begin(): Promise<void> {
    const { database, address, clock, logger, onMissed } = this.#options;
    this.#hearing = await database.hear({
      replica: this.id,
      onNotice: (text) => this.#heard(text),
      onMissed,
      onTrouble: (error) => logger.warn('the other replicas are not heard', { error }),
    });
    const from = clock.monotonic();
    await database.replicas.add(this.id, address, teamLimits.leaseMs);
    this.#validUntil = from + teamLimits.leaseMs;
    this.#stopRenewing = clock.every(teamLimits.renewMs, () => {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
      ignore(this.#renewing, 'it is logged, and tried again at the next turn');
    });
  }

  async #renew(): Promise<void> {
    const { database, address, clock, logger, onLost } = this.#options;
    const from = clock.monotonic();
    try {
      if (!(await database.replicas.renew(this.id, teamLimits.leaseMs))) {
        logger.warn('this replica was taken for dead; it begins anew');
        this.#validUntil = 0;
        this.#held.clear();
        await onLost();
        await database.replicas.add(this.id, address, teamLimits.leaseMs);
      }
      this.#validUntil = from + teamLimits.leaseMs;
      for (const gone of await database.replicas.removeLate())
        await this.tell({ kind: 'gone', address: gone });
    } catch (error) {
      logger.warn('the database did not hear that this replica lives', { error: messageOf(error) });
    }
  }

  #checkValid(): void {
    if (this.#options.clock.monotonic() < this.#validUntil) return;
    throw busy('The database of this team cannot be reached.');
  }

  async #elsewhere(): Promise<Home> {
    const [other] = await this.#options.database.replicas.others(this.id);
    if (!other) throw busy('The hub is stopping.');
    return { kind: 'away', replica: other.id, address: other.address };
  }

  #heard(text: string): void {
    const notice = readNotice(text);
    if (notice) this.#options.onNotice(notice);
  }
}

const ATTEMPTS_MAX = 3;

/** Another version of this program may say what this one does not know. */
function readNotice(text: string): Notice | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(said)) return undefined;
  if (said['kind'] === 'shared') return { kind: 'shared' };
  const { kind, address, removed } = said;
  if (kind === 'gone' && typeof address === 'string') return { kind, address };
  if (kind !== 'people') return undefined;
  return { kind, ...(typeof removed === 'string' ? { removed } : {}) };
}

function busy(message: string): PlugError {
  return new PlugError('unavailable', message, { owner: 'plugboard', remedy: { do: 'retry' } });
}
