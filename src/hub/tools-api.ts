import { offeredTools } from '../catalog/catalog.ts';
import { PlugError } from '../base/errors.ts';
import { parseToolRef, type Tool } from '../catalog/tool.ts';
import type { PooledServer } from '../connections/pool.ts';
import { selects } from '../servers/select.ts';
import { unknownHost, type Core } from './core.ts';
import type { ToolList, ToolsApi } from './hub.ts';
import { stateOf } from './views.ts';
import { blocked, keyOf, type Workspace } from './workspace.ts';

/** Tools from manifests, and the call. */
export function toolsOf(core: Core, workspace: Workspace): ToolsApi {
  const find = (id: string): PooledServer => workspace.usable(id);
  return {
    list: (options = {}) => list(core, workspace, options),
    call: ({ tool, args = {}, profile, host, account, timeoutMs, meta }, { signal, onProgress } = {}) => {
      const attached = host === undefined ? undefined : core.hosts.get(host);
      if (host !== undefined && !attached) return Promise.reject(unknownHost(host));
      const call = { tool, args, host: attached, timeoutMs, meta, signal, onProgress };
      // The usual call names neither, and waits for nothing.
      if (profile === undefined && account === undefined) return core.calls.call(call, find);
      return Promise.all([workspace.profile(profile), chooseAccount(core, find, tool, account)]).then(
        ([profile, account]) => core.calls.call({ ...call, profile, account }, find),
      );
    },
  };
}

/** Undefined for the default account: whoever names it shares its connection. */
async function chooseAccount(
  core: Core,
  find: (id: string) => PooledServer,
  tool: string,
  account: string | undefined,
): Promise<string | undefined> {
  if (account === undefined) return undefined;
  const { id } = find(parseToolRef(tool).server).definition;
  const known = await core.accounts.find(core.owner, id, account);
  if (known) return known.isDefault ? undefined : account;
  throw new PlugError('not_found', `“${id}” has no account “${account.slice(0, 80)}”.`, {
    owner: 'you',
    server: id,
    next: `plug auth ${id} --account ${account.slice(0, 80)}`,
  });
}

/**
 * No server is started for a list, with one exception: whoever asks for the tools of one server
 * that was never connected gets an answer, not an empty list.
 */
async function list(
  core: Core,
  workspace: Workspace,
  options: { readonly server?: string; readonly profile?: string },
): Promise<ToolList> {
  const profile = await workspace.profile(options.profile);
  const one = options.server === undefined ? undefined : workspace.resolved(options.server);
  if (one && !core.pool.manifest(keyOf(one.definition))) {
    await (await core.pool.connection(workspace.usable(one.definition.id).key)).start('USER');
  }
  const tools: Tool[] = [];
  const unavailable: ToolList['unavailable'][number][] = [];
  for (const server of one ? [one] : workspace.servers) {
    const { definition } = server;
    if (!selects(profile, definition)) continue;
    if (!one && !definition.enabled) continue;
    const manifest = core.pool.manifest(keyOf(definition));
    const state = stateOf(core, server);
    const offered = manifest ? offeredTools(definition, manifest.tools, profile) : [];
    const live = !blocked(server) && LISTED.has(state.kind);
    if (live) tools.push(...offered);
    if (!live || !manifest) {
      unavailable.push({ server: definition.id, state, tools: offered.length });
    }
  }
  return { tools, unavailable };
}

/** Tools of a sleeping server are offered: a call wakes it. Those of a broken one are not. */
const LISTED: ReadonlySet<string> = new Set(['ready', 'degraded', 'asleep', 'starting']);
