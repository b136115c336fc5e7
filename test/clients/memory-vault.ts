import type { Secret } from '../../src/base/secret.ts';
import type { Vault } from '../../src/vault/vault.ts';

/** Holds secrets for as long as the process lives; nothing reaches a disk. */
export class MemoryVault implements Vault {
  readonly #secrets = new Map<string, Map<string, Secret>>();

  get(owner: string, name: string): Promise<Secret | undefined> {
    return Promise.resolve(this.#secrets.get(owner)?.get(name));
  }

  set(owner: string, name: string, value: Secret): Promise<void> {
    const own = this.#secrets.get(owner) ?? new Map<string, Secret>();
    this.#secrets.set(owner, own.set(name, value));
    return Promise.resolve();
  }

  delete(owner: string, name: string): Promise<boolean> {
    return Promise.resolve(this.#secrets.get(owner)?.delete(name) ?? false);
  }

  list(owner: string): Promise<readonly string[]> {
    return Promise.resolve([...(this.#secrets.get(owner)?.keys() ?? [])].toSorted());
  }
}
