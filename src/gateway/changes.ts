import type { Cancel, Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { ListKind } from './hub-view.ts';
import type { GatewayLimits } from './limits.ts';
import type { ListMethod } from './offers.ts';

export interface ChangeListener {
  onLists?(kinds: readonly ListKind[]): void;
  onResource?(server: string, uri: string): void;
}

type ChangesOptions = { readonly clock: Clock; readonly limits: GatewayLimits };

const METHODS: Readonly<Record<ListKind, readonly ListMethod[]>> = {
  tools: ['tools/list'],
  resources: ['resources/list', 'resources/templates/list'],
  prompts: ['prompts/list'],
};

/** Servers that start together are one change; a list that reads the same is none. */
export class Changes {
  readonly #endpoint: Endpoint;
  readonly #options: ChangesOptions;
  readonly #listeners = new Set<ChangeListener>();
  readonly #stop: () => void;
  #dirty = new Set<ListKind>();
  #cancel: Cancel | undefined;
  /** The text that hosts last saw or could have read. */
  readonly #seen = new Map<ListKind, string>();

  constructor(endpoint: Endpoint, options: ChangesOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#stop = endpoint.view.onChange((change) => {
      if (change.kind === 'lists') this.#changed(change.lists);
      else if (change.kind === 'resource') {
        for (const listener of this.#listeners) listener.onResource?.(change.server, change.uri);
      }
    });
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    if (this.#seen.size === 0) ignore(this.#look(), 'a list that cannot be read now is compared later');
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  close(): void {
    this.#stop();
    this.#cancel?.();
    this.#listeners.clear();
  }

  #changed(kinds: readonly ListKind[]): void {
    const { clock, limits } = this.#options;
    if (this.#listeners.size === 0) return this.#seen.clear();
    for (const kind of kinds) this.#dirty.add(kind);
    this.#cancel ??= clock.after(limits.changesTogetherMs, () => {
      this.#cancel = undefined;
      ignore(this.#tell(), 'a list that cannot be read has changed: that is told');
    });
  }

  async #tell(): Promise<void> {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    const changed: ListKind[] = [];
    for (const kind of dirty) if (await this.#isNew(kind)) changed.push(kind);
    if (changed.length === 0) return;
    for (const listener of this.#listeners) listener.onLists?.(changed);
  }

  async #isNew(kind: ListKind): Promise<boolean> {
    const before = this.#seen.get(kind);
    try {
      const now = await this.#text(kind);
      this.#seen.set(kind, now);
      return now !== before;
    } catch {
      this.#seen.delete(kind);
      return true;
    }
  }

  async #look(): Promise<void> {
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      const text = await this.#text(kind);
      if (!this.#seen.has(kind)) this.#seen.set(kind, text);
    }
  }

  async #text(kind: ListKind): Promise<string> {
    const pages = METHODS[kind].map(async (method) => this.#endpoint.offers.items(method));
    return JSON.stringify(await Promise.all(pages));
  }
}
