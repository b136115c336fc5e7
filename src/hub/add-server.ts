import type { Remedy } from '../base/remedy.ts';
import type { JsonObject } from '../base/json.ts';
import { PlugError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import { sentence } from '../base/sentence.ts';
import type { PooledServer } from '../connections/pool.ts';
import { takeKeys } from '../servers/clients/plaintext-keys.ts';
import { checkServerId, type ServerDefinition } from '../servers/definition.ts';
import type { Core } from './core.ts';
import { trustServer } from './decisions/server-decisions.ts';
import { explainedFailure } from './explained.ts';
import type { AddOutcome, InstallOptions, ServerView } from './hub.ts';
import type { Lifecycle } from './lifecycle.ts';
import { checkRemoteOnly } from './remote-only.ts';
import { viewOf } from './views.ts';
import type { Workspace } from './workspace.ts';

export interface NewServer {
  readonly definition: ServerDefinition;
  readonly options: InstallOptions & { readonly test?: boolean; readonly replace?: boolean };
}

/** Saves a server; with a test, only after it has connected. */
export async function addServer(
  core: Core,
  workspace: Workspace,
  lifecycle: Lifecycle,
  { definition: given, options }: NewServer,
): Promise<AddOutcome> {
  const { id } = given;
  checkServerId(id);
  const { test = true, replace = false } = options;
  checkRemoteOnly(core, given);
  checkFree(workspace, id, replace);
  const { definition, undo } = await sealDefinition(core, given);
  const save = async (): Promise<ServerView> => {
    await core.storage.servers.putServer(core.owner, definition);
    await workspace.changed();
    await trustFeatured(core, workspace.pooled(workspace.resolved(id)));
    return viewOf(core, workspace.resolved(id));
  };
  if (!test) {
    const server = await save();
    await lifecycle.ensureStarted({ ids: [id] });
    return { server, tested: false, summary: `Saved ${id}; it is being tried in the background.` };
  }
  workspace.trials.add(id);
  try {
    await tryOut(core, workspace, definition, options);
    const server = await save();
    const tools = core.pool.manifest(id)?.tools ?? [];
    return { server, tested: true, summary: connectedTo(id, server.serverInfo, tools) };
  } catch (error) {
    await undo();
    throw error;
  } finally {
    workspace.trials.delete(id);
  }
}

/** A featured server's read-only tools run without asking once the user has added it. */
async function trustFeatured(core: Core, server: PooledServer): Promise<void> {
  const { featuredAt } = await import('../servers/featured.ts');
  if (!featuredAt(server.definition.endpoint)) return;
  await trustServer(core, server, { session: false, source: 'featured' });
}

/** Connects before anything is saved; if that fails, everything is as it was. */
async function tryOut(
  core: Core,
  workspace: Workspace,
  definition: ServerDefinition,
  { signal, onProgress }: InstallOptions,
): Promise<void> {
  const { pool } = core;
  const { id } = definition;
  const before = workspace.servers.find((server) => server.definition.id === id);
  pool.put(workspace.pooled({ definition, shadowed: [] }));
  try {
    await core.trials.during(definition, { tell: onProgress }, async () =>
      (await pool.connection(id)).start('USER', signal),
    );
  } catch (error) {
    if (before) pool.put(workspace.pooled(before));
    else await pool.remove(id);
    const why = explainedFailure(definition, error);
    throw unsaved(why, id, remedyAfterTrial(why));
  }
}

/** The failure of a trial. */
export function unsaved(why: PlugError, server: string, remedy: Remedy | string): PlugError {
  const { code, owner, message, details } = why;
  const more = { owner, server, remedy, details: { ...details }, cause: why };
  return new PlugError(code, `${sentence(message)} Nothing was saved.`, more);
}

/** A server that was not saved cannot be restarted, edited or checked, and has no logs to look at. */
function remedyAfterTrial({ code, owner, remedy }: PlugError): Remedy | string {
  if (code === 'sign_in_needed') {
    return remedy?.do === 'sign-in'
      ? 'Add --no-test to save it, then sign in.'
      : 'Correct the key, then add it again.';
  }
  if (remedy?.do === 'restart' && owner !== 'server') {
    const first = owner === 'network' ? 'Check your network and proxy' : 'Correct it';
    return `${first}, then add it again.`;
  }
  if (remedy && owner !== 'server' && !OF_SAVED_SERVERS.has(remedy.do)) return remedy;
  return 'Correct it, or add --no-test to save it anyway.';
}

const OF_SAVED_SERVERS = new Set<Remedy['do']>(['show-logs', 'set-secret', 'edit-server', 'check']);

/** “Connected to X, 12 tools including a, b, c.” */
export function connectedTo(
  id: string,
  { title, name }: JsonObject = {},
  tools: readonly { readonly name: string }[],
): string {
  const names = [title, name].filter((each) => typeof each === 'string');
  const called = names.find((each) => each !== '') ?? id;
  if (tools.length === 0) return `Connected to ${called}, no tools.`;
  const some = tools.slice(0, 3).map((tool) => tool.name);
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  return `Connected to ${called}, ${count}${tools.length > 3 ? ' including' : ':'} ${some.join(', ')}.`;
}

/** A server of a file belongs to its owner: it is never replaced. */
export function checkFree(workspace: Workspace, id: string, replace: boolean): void {
  const before = workspace.servers.find((server) => server.definition.id === id);
  const { source } = before?.definition ?? {};
  if (!source || (replace && source.kind !== 'file')) return;
  const file = source.kind === 'file' ? source.file : undefined;
  throw new PlugError('already_exists', `There is a server “${id}” already${file ? `, in ${file}` : ''}.`, {
    owner: 'you',
    server: id,
    remedy: `Choose another name, or ${file ? `edit ${file}` : 'add --replace'}.`,
  });
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
  const { definition, keys } = takeKeys(given);
  return { definition, ...(await keepSecrets(core, keys)) };
}

export async function keepSecrets(
  { vault, owner }: Core,
  secrets: readonly { readonly name: string; readonly value: Secret }[],
): Promise<KeptSecrets> {
  const before = new Map<string, Secret | undefined>();
  let changed = false;
  for (const { name, value } of secrets) {
    const old = await vault.get(owner, name);
    before.set(name, old);
    if (old?.reveal() === value.reveal()) continue;
    changed = true;
    await vault.set(owner, name, value);
  }
  const undo = async (): Promise<void> => {
    for (const [name, old] of before) {
      if (old) await vault.set(owner, name, old);
      else await vault.delete(owner, name);
    }
  };
  return { changed, undo };
}
