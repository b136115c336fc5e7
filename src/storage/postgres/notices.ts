import type { Client } from 'pg';
import { backoffMs } from '../../base/backoff.ts';
import { ignore, messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { StorageTiming } from '../storage.ts';
import { importPg } from './open.ts';
import { LIVES, lockNumber } from './replica-rows.ts';

export interface NoticesOptions extends StorageTiming {
  readonly url: string;
  /** Whose connection this is: the others take it for a proof of life. */
  readonly replica: string;
  readonly onNotice: (text: string) => void;
  /** The connection was lost and is back: what was said meanwhile is gone. */
  readonly onMissed: () => void;
  readonly onTrouble: (message: string) => void;
}

const CHANNEL = 'plugboard';

/** Hears what the other processes on this database say, by a connection of its own that is made again. */
export class Notices implements AsyncDisposable {
  readonly #options: NoticesOptions;
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #again: Promise<void> | undefined;

  private constructor(options: NoticesOptions) {
    this.#options = options;
  }

  static async open(options: NoticesOptions): Promise<Notices> {
    const notices = new Notices(options);
    await notices.#connect();
    return notices;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    const client = this.#client;
    this.#client = undefined;
    await this.#again;
    await client?.end();
  }

  async #connect(): Promise<void> {
    const { url, replica, onNotice } = this.#options;
    const { default: pg } = await importPg();
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: limits.postgresConnectTimeoutMs,
      keepAlive: true,
      application_name: 'plugboard notices',
    });
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      ignore(client.end(), 'it is lost already');
      if (this.#client === client) this.#lost();
    };
    client.on('error', over);
    client.on('end', over);
    client.on('notification', ({ payload }) => onNotice(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await client.query('select pg_try_advisory_lock($1, $2)', [LIVES, lockNumber(replica)]);
    } catch (error) {
      isOver = true;
      ignore(client.end(), 'it never was there');
      throw error;
    }
    if (this.#closing.signal.aborted) return await client.end();
    this.#client = client;
    if (isOver) this.#lost();
  }

  #lost(): void {
    this.#client = undefined;
    if (!this.#closing.signal.aborted) this.#again ??= this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { clock, ids, onMissed, onTrouble } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const { storageRetryBaseMs: baseMs, storageRetryMaxMs: maxMs } = limits;
      await Promise.allSettled([clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }), signal)]);
      if (signal.aborted) return;
      try {
        await this.#connect();
      } catch (error) {
        if (attempt === 0) onTrouble(messageOf(error));
        continue;
      }
      this.#again = undefined;
      return onMissed();
    }
  }
}

export const NOTIFY = `select pg_notify('${CHANNEL}', $1)`;
