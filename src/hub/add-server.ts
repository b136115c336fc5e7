import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import type { PooledServer } from '../connections/pool.ts';
import { takeKeys } from '../servers/clients/plaintext-keys.ts';
import { checkServerId, type ServerDefinition } from '../servers/definition.ts';
import { fieldOf } from '../vault/names.ts';
import type { Core } from './core.ts';
import { trustServer } from './decisions/server-decisions.ts';
import type { AddOutcome, InstallOptions } from './hub.ts';
import type { Lifecycle } from './lifecycle.ts';
import { checkRemoteOnly } from './remote-only.ts';
import { tryServer, type FilledServer, type TrialOutcome } from './try-server.ts';
import { viewOf } from './views.ts';
import { blocked, type Workspace } from './workspace.ts';

export interface NewServer {
  readonly filled: FilledServer;
  readonly options: InstallOptions & { readonly test?: boolean; readonly replace?: boolean };
}

/** The one way to save a server: with a test, only after it has connected, and with it its keys. */
export async function addServer(
  core: Core,
  workspace: Workspace,
  lifecycle: Lifecycle,
  { filled: given, options }: NewServer,
): Promise<AddOutcome> {
  const { test = true, replace = false } = options;
  const filled = sealed(given);
  const { definition } = filled;
  const { id } = definition;
  checkServerId(id);
  checkRemoteOnly(core, definition);
  checkFree(workspace, id, replace);
  if (!definition.enabled) {
    await save(core, workspace, filled);
    const why = `Saved ${id}. It’s disabled, so it wasn’t tested.`;
    return { server: await viewOf(core, workspace.resolved(id)), tested: false, summary: why };
  }
  if (!test) {
    await save(core, workspace, filled);
    await trustFeatured(core, workspace, id);
    if (!blocked(workspace.resolved(id))) await lifecycle.ensureStarted({ ids: [id] });
    const summary = `Saved ${id}. Not tested: ${untested(filled)}. It’s starting in the background.`;
    return { server: await viewOf(core, workspace.resolved(id)), tested: false, summary };
  }
  return tryServer(core, workspace, { filled, options }, async (trial) => {
    await save(core, workspace, filled, trial.key);
    await trustFeatured(core, workspace, id);
    const server = await viewOf(core, workspace.resolved(id));
    return { server, tested: trial.signIn !== true, ...outcomeOf(id, trial) };
  });
}

function outcomeOf(id: string, { summary, signIn }: TrialOutcome): Pick<AddOutcome, 'summary' | 'signIn'> {
  if (!signIn) return { summary };
  return { summary: `Saved ${id}. Sign in to use it.`, signIn };
}

/** What nobody has seen work yet. */
function untested({ definition: { endpoint }, secrets }: FilledServer): string {
  const start = endpoint.kind === 'stdio' ? 'whether it starts' : 'whether it answers';
  return secrets.length === 0 ? start : `${start} and accepts its ${secrets.length === 1 ? 'key' : 'keys'}`;
}

/** Keys first: a crash in between leaves a key without a server, never a server without its key. */
async function save(core: Core, workspace: Workspace, filled: FilledServer, tried?: string): Promise<void> {
  const { definition, secrets } = filled;
  const { pool, storage, owner } = core;
  const { id } = definition;
  const before = workspace.servers.find((server) => server.definition.id === id)?.definition;
  const { changed, undo } = await keepSecrets(core, secrets);
  try {
    await storage.servers.putServer(owner, definition);
  } catch (error) {
    await undo();
    throw error;
  }
  await workspace.changed();
  // One that runs with the old keys is not the one that was asked for.
  if (changed && before) await pool.release(id, 'Its keys changed.');
  if (tried !== undefined && !blocked(workspace.resolved(id))) await pool.adopt(tried, id);
  if (before) await forgetReplaced(core, before, definition);
}

/** Keys of the definition that was replaced, unless the new one or another server uses them. */
async function forgetReplaced(
  { vault, owner, storage }: Core,
  before: ServerDefinition,
  after: ServerDefinition,
): Promise<void> {
  const others = JSON.stringify([after, ...(await storage.servers.listServers(owner))]);
  for (const [, name = ''] of JSON.stringify(before.endpoint).matchAll(/\$\{vault:([^}"]+)\}/g)) {
    const isOwn = name === `${before.id}/${fieldOf(name)}`;
    if (isOwn && !others.includes(`\${vault:${name}}`)) await vault.delete(owner, name);
  }
}

/** A featured server's read-only tools run without asking once the user has added it. */
async function trustFeatured(core: Core, workspace: Workspace, id: string): Promise<void> {
  const { featuredAt } = await import('../servers/featured.ts');
  const server: PooledServer = workspace.pooled(workspace.resolved(id));
  if (!featuredAt(server.definition.endpoint)) return;
  await trustServer(core, server, { session: false, source: 'featured' });
}

/** A server of a file belongs to its owner: it is never replaced. */
function checkFree(workspace: Workspace, id: string, replace: boolean): void {
  const before = workspace.servers.find((server) => server.definition.id === id);
  const { source } = before?.definition ?? {};
  if (!source || (replace && source.kind !== 'file')) return;
  const file = source.kind === 'file' ? source.file : undefined;
  throw new PlugError(
    'already_exists',
    `A server named “${id}” already exists${file ? `, in ${file}` : ''}.`,
    {
      owner: 'you',
      server: id,
      remedy: `Choose another name, or ${file ? `edit ${file}` : 'add --replace'}.`,
      details: defined({ file }),
    },
  );
}

/** With its readable secrets beside it, so that the database never sees them. */
function sealed({ definition: given, secrets }: FilledServer): FilledServer {
  const { definition, keys } = takeKeys(given);
  return { definition, secrets: [...secrets, ...keys] };
}

interface KeptSecrets {
  /** At least one secret has another value than before. */
  readonly changed: boolean;
  /** Puts the vault back as it was. */
  readonly undo: () => Promise<void>;
}

/** Moves readable secrets of a definition into the vault, so that the database never sees them. */
export async function sealDefinition(
  core: Core,
  given: ServerDefinition,
): Promise<KeptSecrets & { readonly definition: ServerDefinition }> {
  const { definition, secrets } = sealed({ definition: given, secrets: [] });
  return { definition, ...(await keepSecrets(core, secrets)) };
}

export async function keepSecrets(
  { vault, owner }: Core,
  secrets: readonly { readonly name: string; readonly value: Secret }[],
): Promise<KeptSecrets> {
  const before = new Map<string, Secret | undefined>();
  let changed = false;
  const undo = async (): Promise<void> => {
    for (const [name, old] of before) {
      if (old) await vault.set(owner, name, old);
      else await vault.delete(owner, name);
    }
  };
  try {
    for (const { name, value } of secrets) {
      const old = await vault.get(owner, name);
      if (old?.reveal() === value.reveal()) continue;
      before.set(name, old);
      changed = true;
      await vault.set(owner, name, value);
    }
  } catch (error) {
    await undo();
    throw error;
  }
  return { changed, undo };
}
