import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Manifest } from '../connections/manifest.ts';
import type { Session } from '../connections/session.ts';
import { unknownHost, type Core } from './core.ts';
import { checkOutgoing, takeIn } from './deciding/offered-data.ts';
import type { CallOptions, Offered, PromptsApi, ResourcesApi } from './hub.ts';
import { blocked, keyOf, type Workspace } from './workspace.ts';

export function resourcesOf(core: Core, workspace: Workspace): ResourcesApi {
  const timeoutMs = core.limits.callTimeoutMs;
  const connection = async (id: string): ReturnType<Core['pool']['connection']> =>
    core.pool.connection(workspace.usable(id).key);
  return {
    list: async ({ server } = {}) => ({
      resources: await offered(core, workspace, server, (manifest) => manifest.resources),
      templates: await offered(core, workspace, server, (manifest) => manifest.resourceTemplates),
    }),
    read: ({ server, uri, host }, options) =>
      ask(
        core,
        workspace,
        { server, host, needs: 'resources', method: 'resources/read', params: { uri } },
        options,
      ),
    subscribe: async ({ server, uri }) => (await connection(server)).subscribe(uri, timeoutMs),
    unsubscribe: async ({ server, uri }) => (await connection(server)).unsubscribe(uri, timeoutMs),
  };
}

export function promptsOf(core: Core, workspace: Workspace): PromptsApi {
  return {
    list: async ({ server } = {}) => ({
      prompts: await offered(core, workspace, server, (manifest) => manifest.prompts),
    }),
    get: ({ server, name, args = {}, host }, options) => {
      const params = { name, arguments: args };
      return ask(core, workspace, { server, host, needs: 'prompts', method: 'prompts/get', params }, options);
    },
    complete: ({ server, ref, argument, context }, options) => {
      const params = { ref, argument, ...(context ? { context } : {}) };
      const method = 'completion/complete';
      return ask(core, workspace, { server, host: undefined, needs: 'completions', method, params }, options);
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
  if (id !== undefined && !core.pool.manifest(keyOf(workspace.resolved(id).definition))) {
    await (await core.pool.connection(workspace.usable(id).key)).start('USER');
  }
  const servers =
    id === undefined ? workspace.servers.filter((each) => !blocked(each)) : [workspace.resolved(id)];
  return servers.flatMap(({ definition }) => {
    const manifest = core.pool.manifest(keyOf(definition));
    return manifest ? pick(manifest).map((each) => ({ server: definition.id, definition: each })) : [];
  });
}

interface Question {
  readonly server: string;
  readonly host: string | undefined;
  readonly needs: string;
  readonly method: string;
  readonly params: JsonObject;
}

async function ask(
  core: Core,
  workspace: Workspace,
  question: Question,
  { signal, onProgress }: CallOptions = {},
): Promise<JsonObject> {
  const server = workspace.usable(question.server);
  const host = question.host === undefined ? undefined : core.hosts.get(question.host);
  if (question.host !== undefined && !host) throw unknownHost(question.host);
  const timeoutMs = server.definition.timeouts.callMs ?? core.limits.callTimeoutMs;
  checkOutgoing(core, server, question.method, question.params);
  const answer = await core.pool.use(
    server.key,
    (session) => {
      requireCapability(session, question.server, question.needs);
      const options = { timeoutMs, signal, onProgress, handlers: host?.handlers };
      return session.request(question.method, question.params, options);
    },
    { host, signal },
  );
  return takeIn(core, server, question.method, answer);
}

function requireCapability(session: Session, server: string, capability: string): void {
  if (isObject(session.agreement.capabilities[capability])) return;
  throw new PlugError('unsupported', `${server} offers no ${capability}.`, { owner: 'server', server });
}
