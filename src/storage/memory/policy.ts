import type { Grant } from '../../policy/grant.ts';
import type { PolicyStore, ServerTrust } from '../../policy/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { assertKept, oldestFirst } from '../kept-grants.ts';
import { sortedBy } from '../order.ts';
import { MemoryTable } from './table.ts';

export class MemoryPolicyStore implements PolicyStore {
  readonly #grants = new MemoryTable<Grant>();
  readonly #trust = new MemoryTable<ServerTrust>();

  async listGrants(owner: OwnerId): Promise<readonly Grant[]> {
    return oldestFirst(this.#grants.list(owner));
  }

  async putGrant(owner: OwnerId, grant: Grant): Promise<void> {
    assertKept(grant);
    this.#grants.put(grant, owner, grant.id);
  }

  async deleteGrant(owner: OwnerId, id: string): Promise<boolean> {
    return this.#grants.delete(owner, id);
  }

  async listServerTrust(owner: OwnerId): Promise<readonly ServerTrust[]> {
    return sortedBy(this.#trust.list(owner), (trust) => trust.server);
  }

  async putServerTrust(owner: OwnerId, trust: ServerTrust): Promise<void> {
    this.#trust.put(trust, owner, trust.server);
  }

  async deleteServerTrust(owner: OwnerId, server: string): Promise<boolean> {
    return this.#trust.delete(owner, server);
  }

  async forgetServer(owner: OwnerId, server: string): Promise<void> {
    for (const grant of this.#grants.list(owner)) {
      if (grant.server === server) this.#grants.delete(owner, grant.id);
    }
    this.#trust.delete(owner, server);
  }
}
