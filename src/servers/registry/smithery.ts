import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { RegistryEntry } from './entry.ts';
import { JsonClient } from './_json.ts';
import type { FetchPort, Registry } from './registry.ts';
import { readSmithery } from './smithery-document.ts';

export interface SmitheryOptions {
  readonly name: string;
  readonly url: string;
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly limits: Limits;
  /** `{ authorization: 'Bearer …' }`; lists are mostly readable without. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Smithery's registry. It searches by meaning, so it is asked anew each time and never copied. */
export function smitheryRegistry(options: SmitheryOptions): Registry {
  const { name, limits } = options;
  const client = new JsonClient({ ...options, registry: name });
  const base = options.url.replace(/\/+$/, '');
  return {
    name,
    kind: 'smithery',
    url: options.url,
    search: async (query, { limit, signal }) => {
      const url = new URL(`${base}/servers`);
      url.searchParams.set('q', query);
      url.searchParams.set('page', '1');
      url.searchParams.set('pageSize', String(Math.min(limit, limits.registryPageSize)));
      const answer = await client.get(url, signal);
      if (!isObject(answer) || !Array.isArray(answer['servers'])) throw noList(name);
      const entries: RegistryEntry[] = [];
      const problems: string[] = [];
      for (const document of answer['servers'] as unknown[]) {
        const read = readSmithery(document, name);
        if (read.kind === 'ok') entries.push(read.entry);
        else problems.push(`${name} lists ${read.name}, which was left out: ${read.reason}.`);
      }
      return { entries: entries.slice(0, limit), problems };
    },
    details: async (server, { signal } = {}) => {
      const path = server.split('/').map(encodeURIComponent).join('/');
      const read = readSmithery(await client.get(new URL(`${base}/servers/${path}`), signal), name);
      if (read.kind === 'ok') return { ...read.entry, detail: 'full' };
      throw new PlugError('protocol_error', `The registry “${name}” lists ${server}, but ${read.reason}.`, {
        owner: 'registry',
      });
    },
  };
}

function noList(registry: string): PlugError {
  return new PlugError('protocol_error', `The registry “${registry}” answered without a list of servers.`, {
    owner: 'registry',
    details: { registry },
  });
}
