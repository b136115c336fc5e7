import { toPlugError, type PlugError } from '../../base/errors.ts';
import { childEnvironment } from '../../connections/processes/environment.ts';
import { isFolderName } from '../../connections/working-folder.ts';
import type { PooledServer } from '../../connections/pool.ts';
import { isLocal, type Endpoint } from '../../servers/definition.ts';
import type { MissingValue } from '../../servers/placeholders.ts';
import { resolveEndpoint } from '../../servers/resolve-endpoint.ts';
import { readValueFile } from '../../servers/value-file.ts';
import { MASTER_KEY_VARIABLE } from '../../vault/key-variable.ts';
import { mayAskFor, type Core } from '../core.ts';

export type ResolvedUnasked =
  | {
      readonly kind: 'ok';
      /** Secrets in it are stand-ins. */
      readonly endpoint: Endpoint;
      /** Names of the secrets that it needs. */
      readonly secrets: readonly string[];
      /** Commands of password managers, which only a start runs. */
      readonly commands: readonly string[];
    }
  | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] }
  | { readonly kind: 'wrong'; readonly error: PlugError };

/** Stands for a value that is there and that nobody needs to read for this. */
const STAND_IN = 'secret';

/**
 * Fills in the placeholders of an endpoint as a start would, but opens no vault and runs no
 * command: of those it only tells whether they are there.
 */
export async function resolveUnasked(core: Core, server: PooledServer): Promise<ResolvedUnasked> {
  const { vault, owner, options } = core;
  const { definition, folder } = server;
  const names = new Set(await vault.list(owner));
  const secrets = new Set<string>();
  const commands: string[] = [];
  const secret = (name: string): string | undefined => {
    if (!names.has(name)) return undefined;
    secrets.add(name);
    return STAND_IN;
  };
  try {
    const resolved = await resolveEndpoint(
      definition.endpoint,
      {
        env: (name) => {
          if (name === MASTER_KEY_VARIABLE) return undefined;
          return isFolderName(name) && isLocal(definition.endpoint) ? folder : options.env[name];
        },
        input: (id) => {
          const given = Object.hasOwn(definition.config, id) ? definition.config[id] : undefined;
          if (given === undefined || given === null) return secret(`${definition.id}/${id}`);
          return typeof given === 'string' ? given : JSON.stringify(given);
        },
        file: (path) => readValueFile(path),
        vault: (name) => (mayAskFor(definition, name) ? secret(name) : undefined),
        command: (line) => {
          commands.push(line);
          return STAND_IN;
        },
      },
      definition.source,
    );
    if (resolved.kind === 'missing') return resolved;
    checkEnvironment(core, server, resolved.endpoint);
    return { kind: 'ok', endpoint: resolved.endpoint, secrets: [...secrets], commands };
  } catch (error) {
    return { kind: 'wrong', error: toPlugError(error) };
  }
}

/** Throws for a variable that no start would let through. */
function checkEnvironment({ options }: Core, { definition }: PooledServer, endpoint: Endpoint): void {
  if (endpoint.kind !== 'stdio') return;
  const { platform = process.platform } = options;
  childEnvironment({
    hubEnv: options.env,
    declared: endpoint.env,
    path: '',
    platform,
    allowDangerousEnv: definition.allowDangerousEnv ?? [],
  });
}
