import type { JsonObject } from '../base/json.ts';
import type { Manifest } from '../connections/manifest.ts';
import { isProtocolMethod } from '../connections/protocol-methods.ts';
import { askServer, forward, hostNamed, requireCapability } from './ask-server.ts';
import type { Client } from './client.ts';
import type { Core } from './core.ts';
import type { ForwardedRequest, Offered } from './hub.ts';
import { blocked, serverKey, type Workspace } from './workspace.ts';
import type { Implementations } from './operations/table.ts';

export function resourcesOf(
  core: Core,
  workspace: Workspace,
  { principal: { id: principal } }: Pick<Client, 'principal'>,
): Implementations['resources'] {
  const timeoutMs = core.limits.callTimeoutMs;
  const connection = (id: string, host: string | undefined): ReturnType<Core['pool']['connection']> =>
    core.pool.connection(workspace.usable(id).key, hostNamed(core, host));
  return {
    list: async ({ server }) => ({
      resources: await offered(core, workspace, server, (manifest) => manifest.resources),
      templates: await offered(core, workspace, server, (manifest) => manifest.resourceTemplates),
    }),
    read: ({ server, uri, host, account, fields }, options) => {
      const question = {
        principal,
        server,
        host,
        account,
        needs: 'resources',
        method: 'resources/read',
        params: { ...fields, uri },
      };
      return askServer(core, workspace, question, options);
    },
    subscribe: async ({ server, uri, host }) => (await connection(server, host)).subscribe(uri, timeoutMs),
    unsubscribe: async ({ server, uri, host }) =>
      (await connection(server, host)).unsubscribe(uri, timeoutMs),
    extension: (request, options) => {
      const passes = isPassed(core, workspace, request);
      return forward(core, workspace, { principal, request, passes }, options);
    },
  };
}

/** A method that we do not know may change something: hosts choose methods, and no model does. */
function isPassed({ settings }: Core, workspace: Workspace, { server, method }: ForwardedRequest): boolean {
  if (READING.has(method)) return true;
  const readOnly = settings.readOnly || workspace.usable(server).definition.readOnly;
  return !readOnly && !isProtocolMethod(method);
}

/** Methods of extensions that change nothing at the server. */
const READING: ReadonlySet<string> = new Set(['skills/list', 'skills/get', 'resources/directory/read']);

export function promptsOf(
  core: Core,
  workspace: Workspace,
  { principal: { id: principal } }: Pick<Client, 'principal'>,
): Implementations['prompts'] {
  return {
    list: async ({ server }) => ({
      prompts: await offered(core, workspace, server, (manifest) => manifest.prompts),
    }),
    get: ({ server, name, args = {}, host, account, fields }, options) => {
      const params = { ...fields, name, arguments: args };
      const question = { principal, server, host, account, needs: 'prompts', method: 'prompts/get', params };
      return askServer(core, workspace, question, options);
    },
    complete: ({ server, ref, argument, context, host, fields }, options) => {
      const params = { ...fields, ref, argument, ...(context ? { context } : {}) };
      const method = 'completion/complete';
      return askServer(core, workspace, { principal, server, host, method, params }, options);
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
