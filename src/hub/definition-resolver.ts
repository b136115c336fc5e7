import { homedir } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { isFolderName } from '../connections/working-folder.ts';
import { isLocal, type Endpoint, type ServerDefinition } from '../servers/definition.ts';
import { missingInput, type MissingValue, type PlaceholderSources } from '../servers/placeholders.ts';
import { resolveEndpoint, resolveSent } from '../servers/resolve-endpoint.ts';
import { readValueFile } from '../servers/value-file.ts';
import type { RunCommand } from '../vault/command-reference.ts';
import { MASTER_KEY_VARIABLE } from '../vault/key-variable.ts';
import { isLockedVault } from '../vault/locked.ts';
import { resolveReference } from '../vault/references.ts';
import type { Vault } from '../vault/vault.ts';
import type { HubOptions } from './core.ts';
import { followedEntries } from './followed-entries.ts';
import type { Redaction } from './redaction.ts';
import { checkRemoteOnly } from './remote-only.ts';
import type { Trials } from './trials.ts';

export interface DefinitionResolverOptions {
  readonly options: HubOptions;
  readonly owner: string;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly redactor: Redaction;
  readonly runCommand: RunCommand;
  /** Lends keys to a start that is only tried. */
  readonly trials: Trials;
}

/** Fills in what a definition leaves to placeholders, from this machine's values, when a server starts. */
export class DefinitionResolver {
  readonly #options: DefinitionResolverOptions;
  readonly #currentOf: (definition: ServerDefinition) => Promise<ServerDefinition>;

  constructor(options: DefinitionResolverOptions) {
    const { clock, redactor } = options;
    this.#options = options;
    this.#currentOf = followedEntries({ clock, home: homedir(), redactor });
  }

  /** `folder` is where the caller of the server works. */
  async endpoint(definition: ServerDefinition, folder?: string): Promise<Endpoint> {
    const current = await this.#currentOf(definition);
    checkRemoteOnly(this.#options, current);
    const sources = { for: definition, folder };
    const resolved = await this.#resolve(current, sources, (given) => resolveEndpoint(current, given));
    return resolved.endpoint;
  }

  /** The same for texts that go to the authorization server. */
  async sent(
    definition: ServerDefinition,
    texts: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>> {
    const resolved = await this.#resolve(definition, { for: definition }, (given) =>
      resolveSent(texts, definition, given),
    );
    return resolved.values;
  }

  /** Has the redactor learn those values that are secrets. */
  async #resolve<T extends { readonly kind: 'ok'; readonly secrets: readonly string[] }>(
    definition: ServerDefinition,
    asked: { readonly for: ServerDefinition; readonly folder?: string | undefined },
    run: (
      sources: PlaceholderSources,
    ) => Promise<T | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] }>,
  ): Promise<T> {
    const { options, owner, vault, redactor, runCommand, trials } = this.#options;
    const folder = asked.folder ?? options.cwd;
    let locked: PlugError | undefined;
    const secret = async (name: string): Promise<string | undefined> => {
      try {
        return trials.lent(asked.for, name)?.reveal() ?? (await vault.get(owner, name))?.reveal();
      } catch (error) {
        // No value is missing then: to put one in would be the wrong advice.
        if (error instanceof PlugError && isLockedVault(error)) locked = error;
        throw error;
      }
    };
    const resolved = await run({
      env: (name) => {
        // The key of the vault is never given out.
        if (name === MASTER_KEY_VARIABLE) return undefined;
        return isFolderName(name) && isLocal(definition.endpoint) ? folder : options.env[name];
      },
      input: async (id) => {
        const given = Object.hasOwn(definition.config, id) ? definition.config[id] : undefined;
        if (given === undefined || given === null) return secret(`${definition.id}/${id}`);
        return typeof given === 'string' ? given : JSON.stringify(given);
      },
      file: (path) => readValueFile(path),
      vault: (name) => secret(name),
      command: async (line) => {
        const sources = { vault, owner, env: options.env, runCommand, redactor };
        return (await resolveReference({ kind: 'command', line }, sources))?.reveal();
      },
    });
    if (locked !== undefined) throw locked;
    if (resolved.kind === 'missing') throw missingInput(definition.id, resolved.missing);
    for (const value of resolved.secrets) redactor.learn(value);
    return resolved;
  }
}
