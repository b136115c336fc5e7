import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stayingAlive, systemClock } from './base/clock.ts';
import { onFault } from './base/faults.ts';
import { findPaths } from './base/paths.ts';
import type { HostHandlers } from './connections/host.ts';
import type { Approval, ApprovalAnswer, Hub } from './hub/hub.ts';
import type { StorageOptions } from './storage/storage.ts';

export { PlugError, type ErrorCode, type ErrorView, type Owner } from './base/errors.ts';
export type { Remedy } from './base/remedy.ts';
export type { Json, JsonObject } from './base/json.ts';
export type { HostHandler, HostHandlers, HostRequest } from './connections/host.ts';
export type { ServerEvent, ServerState } from './connections/state.ts';
export type * from './hub/hub.ts';
export { toolSet, type ToolSet, type ToolSetOptions } from './hub/typed-client.ts';
export { typedClient, type TypedCallOptions } from './hub/typed-client.ts';
export { mergeWithHostTools, type MergedTools } from './catalog/host-tools.ts';
export {
  defineServer,
  type Endpoint,
  type GivenDefinition,
  type ServerDefinition,
} from './servers/definition.ts';
export type { Profile } from './servers/profile.ts';

export interface OpenOptions {
  /**
   * `own` (the default) opens a hub inside this process; `shared` uses the user's running hub,
   * and starts it when there is none. Both have the same interface.
   */
  readonly hub?: 'own' | 'shared';
  /** The project folder; default: the current one. */
  readonly cwd?: string;
  /** One folder for all of our files, as `PLUG_HOME`. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where an own hub keeps what it knows; default: SQLite in the data folder. */
  readonly storage?: StorageOptions;
  /** Answers servers that ask their host something; only with an own hub. */
  readonly handlers?: HostHandlers;
  /**
   * Answers calls that need an approval; only with an own hub. Without it they fail with
   * `approval_required`, and the error says how to grant them.
   */
  readonly approve?: (approval: Approval) => Promise<Omit<ApprovalAnswer, 'argsHash'>>;
}

/** Opens Plugboard as a library. Close it when done: that ends everything it started. */
export async function openPlugboard(options: OpenOptions = {}): Promise<Hub> {
  const env = { ...(options.env ?? process.env), ...(options.home ? { PLUG_HOME: options.home } : {}) };
  const cwd = options.cwd ?? process.cwd();
  const paths = findPaths({ env, platform: process.platform });
  if (options.hub === 'shared') {
    const { ensureHub } = await import('./daemon/ensure-hub.ts');
    const entry = { command: process.execPath, args: [bin(), 'hub', 'start', '--foreground'], env, cwd };
    return (await ensureHub({ paths, version: version(), entry, clock: systemClock, folder: cwd })).hub;
  }
  const { openHub } = await import('./hub/open-hub.ts');
  warnOfFaults ??= onFault(({ during, name, places }) =>
    process.emitWarning(`An unexpected failure (${name}) during ${during}.`, {
      type: 'PlugboardWarning',
      detail: places.join('\n'),
    }),
  );
  const { hubWithPlainNumbers } = await import('./hub/plain-numbers.ts');
  const { storage, handlers, approve } = options;
  const hub = await openHub({
    paths,
    cwd,
    env,
    version: version(),
    openAgent: async (hub) => (await import('./agent/open-agent.ts')).openAgent(hub),
    openClientFiles: async () => {
      const gateway = { command: process.execPath, args: [bin(), 'gateway'] };
      return (await import('./editors/client-files.ts')).openClientFiles(gateway);
    },
    ...(storage ? { storage } : {}),
    ...(handlers ? { handlers } : {}),
    ...(approve ? { approve } : {}),
  });
  const plain = hubWithPlainNumbers(hub);
  return { ...plain, watch: (watched) => stayingAlive(plain.watch(watched)) };
}

/** A bug of ours must not end somebody else's program. */
let warnOfFaults: (() => void) | undefined;

/** The program beside this module, as source and as built. */
function bin(): string {
  return fileURLToPath(new URL(`./bin${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url));
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // the package is ours
}
