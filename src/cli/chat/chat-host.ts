import type { AttachedHost, HostOptions, Hub } from '../../hub/hub.ts';

/**
 * The chat as a host of the hub. One host for the whole chat, so that servers which keep one process
 * for each host keep theirs; another one only when the hub itself is another.
 */
export class ChatHost implements AsyncDisposable {
  readonly #hub: Hub;
  readonly #options: HostOptions;
  #attached: { readonly host: AttachedHost; readonly hubStartedAt: number } | undefined;

  constructor(hub: Hub, options: HostOptions) {
    this.#hub = hub;
    this.#options = options;
  }

  /** Its id, for the next turn. */
  async id(): Promise<string> {
    const { startedAt } = await this.#hub.status();
    if (this.#attached?.hubStartedAt !== startedAt) {
      await this.#attached?.host.close();
      this.#attached = { host: await this.#hub.hosts.attach(this.#options), hubStartedAt: startedAt };
    }
    return this.#attached.host.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#attached?.host.close();
  }
}
