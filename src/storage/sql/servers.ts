import type { Kysely } from 'kysely';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, OwnerId, ServerOverride, ServerStore } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { Documents } from './documents.ts';
import { Overrides } from './overrides.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlServerStore implements ServerStore {
  readonly #servers: Documents<ServerDefinition>;
  readonly #overrides: Overrides;
  readonly #trust: Documents<FileTrust>;
  readonly #profiles: Documents<Profile>;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#servers = new Documents(db, run, 'servers');
    this.#overrides = new Overrides(db, run);
    this.#trust = new Documents(db, run, 'trust');
    this.#profiles = new Documents(db, run, 'profiles');
  }

  async listServers(owner: OwnerId): Promise<readonly ServerDefinition[]> {
    return sortedBy(await this.#servers.list(owner), (definition) => definition.id);
  }

  getServer(owner: OwnerId, id: string): Promise<ServerDefinition | undefined> {
    return this.#servers.get(owner, id);
  }

  putServer(owner: OwnerId, definition: ServerDefinition): Promise<void> {
    return this.#servers.put(owner, definition.id, definition);
  }

  deleteServer(owner: OwnerId, id: string): Promise<boolean> {
    return this.#servers.delete(owner, id);
  }

  listOverrides(owner: OwnerId): Promise<readonly ServerOverride[]> {
    return this.#overrides.list(owner);
  }

  putOverride(owner: OwnerId, override: ServerOverride): Promise<void> {
    return this.#overrides.merge(owner, override);
  }

  deleteOverride(owner: OwnerId, server: string): Promise<boolean> {
    return this.#overrides.delete(owner, server);
  }

  async listTrust(owner: OwnerId): Promise<readonly FileTrust[]> {
    return sortedBy(await this.#trust.list(owner), (trust) => trustName(trust.file, trust.server));
  }

  putTrust(owner: OwnerId, trust: FileTrust): Promise<void> {
    return this.#trust.put(owner, trustName(trust.file, trust.server), trust);
  }

  deleteTrust(owner: OwnerId, file: string, server: string): Promise<boolean> {
    return this.#trust.delete(owner, trustName(file, server));
  }

  async listProfiles(owner: OwnerId): Promise<readonly Profile[]> {
    return sortedBy(await this.#profiles.list(owner), (profile) => profile.name);
  }

  putProfile(owner: OwnerId, profile: Profile): Promise<void> {
    return this.#profiles.put(owner, profile.name, profile);
  }

  deleteProfile(owner: OwnerId, name: string): Promise<boolean> {
    return this.#profiles.delete(owner, name);
  }
}

/** JSON keeps the two apart whatever characters they hold. */
function trustName(file: string, server: string): string {
  return JSON.stringify([file, server]);
}
