import type { ServerDefinition } from '../../servers/definition.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, OwnerId, ServerOverride, ServerStore } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { MemoryTable } from './table.ts';

export class MemoryServerStore implements ServerStore {
  readonly #servers = new MemoryTable<ServerDefinition>();
  readonly #overrides = new MemoryTable<ServerOverride>();
  readonly #trust = new MemoryTable<FileTrust>();
  readonly #profiles = new MemoryTable<Profile>();

  async listServers(owner: OwnerId): Promise<readonly ServerDefinition[]> {
    return sortedBy(this.#servers.list(owner), (definition) => definition.id);
  }

  async getServer(owner: OwnerId, id: string): Promise<ServerDefinition | undefined> {
    return this.#servers.get(owner, id);
  }

  async putServer(owner: OwnerId, definition: ServerDefinition): Promise<void> {
    this.#servers.put(definition, owner, definition.id);
  }

  async deleteServer(owner: OwnerId, id: string): Promise<boolean> {
    return this.#servers.delete(owner, id);
  }

  async listOverrides(owner: OwnerId): Promise<readonly ServerOverride[]> {
    return sortedBy(this.#overrides.list(owner), (override) => override.server);
  }

  async putOverride(owner: OwnerId, override: ServerOverride): Promise<void> {
    const before = this.#overrides.get(owner, override.server);
    this.#overrides.put({ ...before, ...override }, owner, override.server);
  }

  async deleteOverride(owner: OwnerId, server: string): Promise<boolean> {
    return this.#overrides.delete(owner, server);
  }

  async listTrust(owner: OwnerId): Promise<readonly FileTrust[]> {
    return sortedBy(this.#trust.list(owner), (trust) => JSON.stringify([trust.file, trust.server]));
  }

  async putTrust(owner: OwnerId, trust: FileTrust): Promise<void> {
    this.#trust.put(trust, owner, trust.file, trust.server);
  }

  async deleteTrust(owner: OwnerId, file: string, server: string): Promise<boolean> {
    return this.#trust.delete(owner, file, server);
  }

  async listProfiles(owner: OwnerId): Promise<readonly Profile[]> {
    return sortedBy(this.#profiles.list(owner), (profile) => profile.name);
  }

  async putProfile(owner: OwnerId, profile: Profile): Promise<void> {
    this.#profiles.put(profile, owner, profile.name);
  }

  async deleteProfile(owner: OwnerId, name: string): Promise<boolean> {
    return this.#profiles.delete(owner, name);
  }
}
