import type { JsonObject } from '../base/json.ts';
import type { Era } from '../connections/manifest.ts';
import type { GatewayLimits } from './limits.ts';
import { RpcError, rpcCodes, Written } from './rpc.ts';

export type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

const listField: Readonly<Record<ListMethod, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

export function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(listField, method);
}

export interface OffersOptions {
  readonly limits: GatewayLimits;
  readonly revision: () => number;
  readonly read: (method: ListMethod, showsApps: boolean) => Promise<readonly JsonObject[]>;
  readonly serverInfo: () => Promise<JsonObject>;
}

interface Snapshot {
  readonly revision: number;
  readonly items: readonly JsonObject[];
  /** By era and start: hosts ask for the same pages again. */
  readonly pages: Map<string, Written>;
}

interface Reading {
  readonly revision: number;
  readonly promise: Promise<Snapshot>;
  ready: Snapshot | undefined;
}

/** Pages are serialized once for all hosts. */
export class Offers {
  readonly #options: OffersOptions;
  readonly #readings = new Map<string, Reading>();

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** Only lists of tools differ for a host that shows apps. */
  async page(method: ListMethod, cursor: unknown, era: Era, showsApps: boolean): Promise<Written> {
    const snapshot = await this.#read(method, showsApps).promise;
    const start = this.#startOf(cursor, snapshot);
    const key = `${era} ${start}`;
    const known = snapshot.pages.get(key);
    if (known) return known;
    const page = new Written(JSON.stringify(await this.#write(method, snapshot, start, era)));
    snapshot.pages.set(key, page);
    return page;
  }

  /** Of the longest list, apps included. Synchronous if already read. */
  items(method: ListMethod): readonly JsonObject[] | Promise<readonly JsonObject[]> {
    const { ready, promise } = this.#read(method, true);
    return ready ? ready.items : promise.then(({ items }) => items);
  }

  async #write(method: ListMethod, snapshot: Snapshot, start: number, era: Era): Promise<JsonObject> {
    const { limits, serverInfo } = this.#options;
    const end = start + limits.pageItemsMax;
    return {
      [listField[method]]: snapshot.items.slice(start, end),
      ...(end < snapshot.items.length ? { nextCursor: `${snapshot.revision}.${end}` } : {}),
      // Hosts drop lists without these.
      ttlMs: limits.listTtlMs,
      cacheScope: 'private',
      ...(era === 'modern'
        ? { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': await serverInfo() } }
        : {}),
    };
  }

  #read(method: ListMethod, showsApps: boolean): Reading {
    const revision = this.#options.revision();
    const withApps = showsApps && method === 'tools/list';
    const key = withApps ? `${method} apps` : method;
    const known = this.#readings.get(key);
    if (known?.revision === revision) return known;
    const promise = this.#options
      .read(method, withApps)
      .then((items) => ({ revision, items, pages: new Map() }));
    const reading: Reading = { revision, promise, ready: undefined };
    this.#readings.set(key, reading);
    promise.then(
      (snapshot) => (reading.ready = snapshot),
      () => this.#readings.get(key) === reading && this.#readings.delete(key),
    );
    return reading;
  }

  /** A list that changed between pages must be read again. */
  #startOf(cursor: unknown, snapshot: Snapshot): number {
    // Some hosts write null for absent.
    if (cursor === undefined || cursor === null) return 0;
    const [, revision, start] = (typeof cursor === 'string' && CURSOR.exec(cursor)) || [];
    const at = Number(start);
    if (Number(revision) === snapshot.revision && at < snapshot.items.length) return at;
    throw new RpcError(
      rpcCodes.invalidParams,
      revision === undefined
        ? 'This cursor is none of ours.'
        : 'The list changed since its first page was read: read it again from the beginning.',
    );
  }
}

const CURSOR = /^(\d{1,15})\.(\d{1,9})$/;
