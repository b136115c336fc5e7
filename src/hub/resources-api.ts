import type { JsonObject } from '../base/json.ts';
import type { Manifest } from '../connections/manifest.ts';
import { askServer, forward, hostNamed, requireCapability } from './ask-server.ts';
import type { Core } from './core.ts';
import type { Offered } from './hub.ts';
import { blocked, serverKey, type Workspace } from './workspace.ts';
import type { Implementations } from './operations/table.ts';

export function resourcesOf(core: Core, workspace: Workspace): Implementations['resources'] {
  const timeoutMs = core.limits.callTimeoutMs;
  const connection = (id: string, host: string | undefined): ReturnType<Core['pool']['connection']> =>
    core.pool.connection(workspace.usable(id).key, hostNamed(core, host));
  return {
    list: async ({ server }) => ({
      resources: await offered(core, workspace, server, (manifest) => manifest.resources),
      templates: await offered(core, workspace, server, (manifest) => manifest.resourceTemplates),
    }),
    read: ({ server, uri, host, account }, options) => {
      const question = {
        server,
        host,
        account,
        needs: 'resources',
        method: 'resources/read',
        params: { uri },
      };
      return askServer(core, workspace, question, options);
    },
    subscribe: async ({ server, uri, host }) => (await connection(server, host)).subscribe(uri, timeoutMs),
    unsubscribe: async ({ server, uri, host }) =>
      (await connection(server, host)).unsubscribe(uri, timeoutMs),
    extension: (request, options) => forward(core, workspace, { request, methods: READING }, options),
  };
}

/** Methods of extensions that change nothing at the server: what acts is a tool, and decided about. */
const READING: ReadonlySet<string> = new Set(['skills/list', 'skills/get', 'resources/directory/read']);

export function promptsOf(core: Core, workspace: Workspace): Implementations['prompts'] {
  return {
    list: async ({ server }) => ({
      prompts: await offered(core, workspace, server, (manifest) => manifest.prompts),
    }),
    get: ({ server, name, args = {}, host, account }, options) => {
      const params = { name, arguments: args };
      const question = { server, host, account, needs: 'prompts', method: 'prompts/get', params };
      return askServer(core, workspace, question, options);
    },
    complete: ({ server, ref, argument, context, host }, options) => {
      const params = { ref, argument, ...(context ? { context } : {}) };
      const method = 'completion/complete';
      return askServer(core, workspace, { server, host, method, params }, options);
    },
    setLogLevel: async ({ server, level }) => {
      const connection = await core.pool.connection(workspace.usable(server).key);
      await connection.use((session) => Promise.resolve(requireCapability(session, server, 'logging')));
      await connection.setLogLevel(level, core.limits.callTimeoutMs);
    },
  };
}

/** From manifests; a server that is named and was never connected is asked. */
async function offered(
  core: Core,
  workspace: Workspace,
  id: string | undefined,
  pick: (manifest: Manifest) => readonly JsonObject[],
): Promise<readonly Offered[]> {
  const one = id === undefined ? undefined : workspace.resolved(id);
  if (one && !core.pool.manifest(serverKey(one.definition))) {
    await (await core.pool.connection(workspace.usable(one.definition.id).key)).start('USER');
  }
  const servers = one ? [one] : workspace.servers.filter((each) => !blocked(each));
  return servers.flatMap(({ definition }) => {
    const manifest = core.pool.manifest(serverKey(definition));
    return manifest ? pick(manifest).map((each) => ({ server: definition.id, definition: each })) : [];
  });
}
