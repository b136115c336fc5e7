import { homedir } from 'node:os';
import { PlugError } from '../base/errors.ts';
import { isFolderName } from '../connections/working-folder.ts';
import { isLocal, type Endpoint, type ServerDefinition } from '../servers/definition.ts';
import { missingInput, type MissingValue, type PlaceholderSources } from '../servers/placeholders.ts';
import { resolveEndpoint, resolveSent } from '../servers/resolve-endpoint.ts';
import { readValueFile } from '../servers/value-file.ts';
import type { RunCommand } from '../vault/command-reference.ts';
import { MASTER_KEY_VARIABLE } from '../vault/key-variable.ts';
import { isLockedVault } from '../vault/locked.ts';
import { secretName } from '../vault/names.ts';
import { ownKeys } from '../servers/own-keys.ts';
import { DEFAULT_ACCOUNT } from '../connections/sign-in/sign-in-service.ts';
import { resolveReference } from '../vault/references.ts';
import type { Core, HubOptions } from './core.ts';
import { checkRemoteOnly } from './remote-only.ts';

type DefinitionResolverOptions = Pick<
  Core,
  'options' | 'owner' | 'clock' | 'vault' | 'redactor' | 'trials' | 'accounts'
> & {
  readonly runCommand: RunCommand;
};

/** Fills in the placeholders of a definition with this machine's values when a server starts. */
export class DefinitionResolver {
  readonly #options: DefinitionResolverOptions;
  readonly #currentOf: (definition: ServerDefinition) => Promise<ServerDefinition>;

  constructor(options: DefinitionResolverOptions) {
    this.#options = options;
    this.#currentOf = options.options.tenancy ? (asIs) => Promise.resolve(asIs) : followedEntries(options);
  }

  /** As the named account, or the default one, where a server has accounts with keys. */
  async startAs(
    definition: ServerDefinition,
    folder: string,
    named: string | undefined,
  ): Promise<{ readonly endpoint: Endpoint; readonly account?: string }> {
    const { accounts, owner } = this.#options;
    const keyed = ownKeys(definition).length > 0;
    const account = keyed ? (await accounts.find(owner, definition.id, named))?.account : undefined;
    const endpoint = await this.endpoint(definition, folder, account);
    return account === undefined ? { endpoint } : { endpoint, account };
  }

  /** `folder` is where the caller of the server works. */
  async endpoint(definition: ServerDefinition, folder?: string, account?: string): Promise<Endpoint> {
    const current = await this.#currentOf(definition);
    checkRemoteOnly(this.#options, current);
    const asked = { for: definition, folder, account };
    const resolved = await this.#resolve(current, asked, (sources) => resolveEndpoint(current, sources));
    return resolved.endpoint;
  }

  /** The same for texts that go to the authorization server. */
  async sent(
    definition: ServerDefinition,
    texts: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>> {
    const resolved = await this.#resolve(definition, { for: definition }, (sources) =>
      resolveSent(texts, definition, sources),
    );
    return resolved.values;
  }

  /** The redactor learns the values that are secrets. */
  async #resolve<T extends { readonly kind: 'ok'; readonly secrets: readonly string[] }>(
    definition: ServerDefinition,
    asked: {
      readonly for: ServerDefinition;
      readonly folder?: string | undefined;
      readonly account?: string | undefined;
    },
    run: (
      sources: PlaceholderSources,
    ) => Promise<T | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] }>,
  ): Promise<T> {
    const { options, owner, vault, redactor, runCommand, trials } = this.#options;
    const { env } = options;
    let locked: PlugError | undefined;
    const secret = async (name: string): Promise<string | undefined> => {
      try {
        const lent = trials.lent(asked.for, name);
        if (lent) return lent.reveal();
        for (const each of namesFor(name, asked.for, asked.account)) {
          const found = await vault.get(owner, each);
          if (found) return found.reveal();
        }
        return undefined;
      } catch (error) {
        // No value is missing then: to put one in would be the wrong advice.
        if (error instanceof PlugError && isLockedVault(error)) locked = error;
        throw error;
      }
    };
    const resolved = await run({
      ...localSources(definition, { env, folder: asked.folder ?? options.cwd, secret }),
      ...(options.tenancy ? { file: notHere } : {}),
      command: async (line) => {
        if (options.tenancy) return notHere();
        const sources = { vault, owner, env, runCommand, redactor };
        return (await resolveReference({ kind: 'command', line }, sources))?.reveal();
      },
    });
    if (locked !== undefined) throw locked;
    if (resolved.kind === 'missing') throw missingInput(definition.id, resolved.missing);
    for (const value of resolved.secrets) redactor.learn(value);
    return resolved;
  }
}

/** Files and commands of this machine are not those of somebody elsewhere. */
function notHere(): Promise<never> {
  const remedy = 'Give the value itself; it goes into the vault.';
  const message = 'A server of a team reads no files and runs no commands of the hub’s machine.';
  return Promise.reject(new PlugError('denied', message, { owner: 'you', remedy }));
}

/** An account has its own keys, and never those of another; the first keys have no account in their name. */
function namesFor(
  name: string,
  definition: ServerDefinition,
  account: string | undefined,
): readonly string[] {
  const field = name.slice(definition.id.length + 1);
  if (account === undefined || !ownKeys(definition).includes(field) || !name.startsWith(`${definition.id}/`))
    return [name];
  const own = secretName({ server: definition.id, account, field });
  return account === DEFAULT_ACCOUNT ? [own, name] : [own];
}

/** Where placeholders find values, but for commands. */
export function localSources(
  { id, endpoint, config }: ServerDefinition,
  from: {
    readonly env: HubOptions['env'];
    readonly folder: string;
    readonly secret: PlaceholderSources['vault'];
  },
): Omit<PlaceholderSources, 'command'> {
  const { env, folder, secret } = from;
  return {
    env: (name) => {
      // The key of the vault is never given out.
      if (name === MASTER_KEY_VARIABLE) return undefined;
      return isFolderName(name) && isLocal(endpoint) ? folder : env[name];
    },
    input: (name) => {
      const given = Object.hasOwn(config, name) ? config[name] : undefined;
      if (given === undefined || given === null) return secret(`${id}/${name}`);
      return typeof given === 'string' ? given : JSON.stringify(given);
    },
    file: (path) => readValueFile(path),
    vault: secret,
  };
}

/** A definition that follows a client's file, as it reads now. The parsers are loaded only then. */
export function followedEntries({
  clock,
  redactor,
}: Pick<DefinitionResolverOptions, 'clock' | 'redactor'>): (
  definition: ServerDefinition,
) => Promise<ServerDefinition> {
  const open = async (): Promise<(definition: ServerDefinition) => Promise<ServerDefinition>> => {
    const [{ FollowedFiles }, { takeKeys }] = await Promise.all([
      import('../servers/clients/follow.ts'),
      import('../servers/clients/plaintext-keys.ts'),
    ]);
    const files = new FollowedFiles({ clock, home: homedir() });
    return async (definition) => {
      const current = await files.resolve(definition);
      // Such an entry may hold its keys in plain text.
      if (current !== definition)
        for (const { value } of takeKeys(current).keys) redactor.learn(value.reveal());
      return current;
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (definition) =>
    definition.follow === undefined ? definition : (await (opened ??= open()))(definition);
}
