import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { publicOnly } from '../../connections/http/address-guard.ts';
import { createFetch } from '../../connections/http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../../connections/http/http-client.ts';
import type { FetchPort } from '../../servers/registry/registry.ts';

export interface OutgoingOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
}

export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #clients = new Map<'guarded' | 'open', HttpClient>();

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  /** For addresses that others have named: only the public internet. */
  get guarded(): FetchPort {
    return this.#fetch('guarded', this.#options.limits.registryAnswerBytesMax);
  }

  /** For addresses that the user has named, which may be on this machine or in their own network. */
  get open(): FetchPort {
    return this.#fetch('open', this.#options.limits.registryAnswerBytesMax);
  }

  /** Small pictures from addresses that others have named. */
  get picture(): FetchPort {
    return this.#fetch('guarded', this.#options.limits.iconBytesMax);
  }

  /** Large files from addresses that others have named. */
  get download(): FetchPort {
    return this.#fetch('guarded', this.#options.limits.bundleBytesMax);
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }

  #fetch(kind: 'guarded' | 'open', httpAnswerBytesMax: number): FetchPort {
    const { clock } = this.#options;
    const limits = { ...this.#options.limits, httpAnswerBytesMax };
    const guard = kind === 'guarded' ? publicOnly : undefined;
    let client = this.#clients.get(kind);
    if (!client) {
      client = createHttpClient({ ...this.#options, ...(guard ? { guard } : {}) });
      this.#clients.set(kind, client);
    }
    // Without the retries of a connection: a registry's pauses are told to the user instead.
    return createFetch({ dispatcher: client.dispatcher, clock, limits, guard });
  }
}
