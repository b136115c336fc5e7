import { Broadcast } from '../../src/base/broadcast.ts';
import { PlugError } from '../../src/base/errors.ts';
import type { HostHandlers } from '../../src/connections/host.ts';
import type { CallOptions, CallRequest, CallResult, HubEvent, ServerView } from '../../src/hub/hub.ts';
import type { ServerState } from '../../src/connections/state.ts';
import { toyChat } from './toy-chat.ts';
import { NOBODY, toyDeciding, type ToyDecidingOptions } from './toy-deciding.ts';
import { describeEndpoint, type ServerDefinition } from '../../src/servers/definition.ts';
import type { FoldersHub } from '../../src/api/folders.ts';
import type { Profile } from '../../src/servers/profile.ts';

const LIVE: ReadonlySet<string> = new Set(['ready', 'degraded', 'starting']);

export interface ToyHub {
  readonly hub: FoldersHub;
  /** Every operation that reached the hub, in order. */
  readonly reached: string[];
  readonly hosts: ReadonlyMap<string, HostHandlers>;
  /** How many watch the events now. */
  readonly watchers: () => number;
  emit(event: HubEvent): void;
}

/** A Hub without servers: what faces and listeners are tested with when no connection matters. */
export function toyHub(
  options: ToyDecidingOptions & { readonly version?: string; readonly state?: ServerState['kind'] } = {},
): ToyHub {
  const reached: string[] = [];
  const definitions = new Map<string, ServerDefinition>();
  const profiles = new Map<string, Profile>();
  const hosts = new Map<string, HostHandlers>();
  const events = new Broadcast<HubEvent>(100);

  const get = (id: string): ServerView => {
    const definition = definitions.get(id);
    if (definition) return { ...viewOf(definition), trust: trusts.get(id) ?? 'none' };
    throw new PlugError('not_found', `There is no server “${id}”.`, {
      owner: 'you',
      next: 'plug list',
      server: id,
    });
  };
  const list = (): ServerView[] => [...definitions.keys()].map((id) => get(id));
  const files = { overall: 'idle' as const, files: [] };
  const diff = { added: [], removed: [], changed: [], kept: [], errors: {} };

  /** Notes the operation, then answers: every method of the toy goes through here. */
  const on =
    <Args extends readonly unknown[], Out>(name: string, run: (...args: Args) => Out | Promise<Out>) =>
    async (...args: Args): Promise<Out> => {
      reached.push(name);
      return run(...args);
    };

  const deciding = toyDeciding(options, on, (event) => events.send(event));
  const trusts = new Map<string, ServerView['trust']>();
  const trustIn = (id: string, trust: ServerView['trust']): ServerView => {
    get(id);
    trusts.set(id, trust);
    return get(id);
  };

  const hub: FoldersHub = {
    ...deciding.apis,
    ...toyChat(on),
    as: (caller) => ({
      ...hub,
      tools: { ...hub.tools, call: on('tools.call', (request, given) => call(request, given, caller)) },
      approvals: { ...hub.approvals, answer: deciding.answerAs(caller) },
    }),
    servers: {
      list: on('servers.list', () => ({ ...files, servers: list() })),
      get: on('servers.get', get),
      definition: on('servers.definition', (id: string) => definitions.get(get(id).id) ?? noPlan()),
      add: on('servers.add', (definition: ServerDefinition) => {
        definitions.set(definition.id, definition);
        events.send({
          kind: 'server-state',
          server: definition.id,
          state: { kind: 'asleep', reason: 'new' },
        });
        return { server: get(definition.id), summary: `Added ${definition.id}.`, tested: false };
      }),
      remove: on('servers.remove', (id: string) => {
        get(id);
        definitions.delete(id);
      }),
      enable: on('servers.enable', get),
      disable: on('servers.disable', get),
      setReadOnly: on('servers.setReadOnly', (id: string, readOnly: boolean) => ({ ...get(id), readOnly })),
      setApps: on('servers.setApps', (id: string, apps: boolean) => ({ ...get(id), apps })),
      credentials: on('servers.credentials', (id: string) => ({
        secrets: [`${get(id).id}/key`],
        accounts: [],
      })),
      icon: on('servers.icon', (id: string) => (get(id).hasIcon ? { mimeType: 'image/png' as const } : {})),
      trust: on('servers.trust', (id: string, given = {}) => trustIn(id, given.session ? 'session' : 'kept')),
      untrust: on('servers.untrust', (id: string) => trustIn(id, 'none')),
      apply: on('servers.apply', (given: readonly ServerDefinition[]) => ({
        ...diff,
        added: given.map(({ id }) => id),
      })),
      reload: on('servers.reload', () => diff),
      start: on('servers.start', get),
      stop: on('servers.stop', get),
      restart: on('servers.restart', get),
      reconnect: on('servers.reconnect', get),
      restartFailed: on('servers.restartFailed', () => []),
      stopAll: on('servers.stopAll', () => []),
      ensureStarted: on('servers.ensureStarted', (ids: readonly string[] = []) => ids),
      waitUntilReady: on('servers.waitUntilReady', (wait = {}) => {
        wait.onProgress?.({
          ready: 0,
          total: 1,
          server: 'a',
          state: { kind: 'starting', attempt: 1, reason: '' },
        });
        return { ...files, servers: list() };
      }),
      logs: on('servers.logs', (server: string, query = {}) => ({
        server,
        stderr: Array.from({ length: query.lines ?? 3 }, (_, at) => `line ${at}`),
        noise: { count: 0, lines: [] },
      })),
      events: on('servers.events', () => []),
    },
    tools: { ...deciding.tools, call: on('tools.call', (request, given) => call(request, given)) },
    resources: {
      list: on('resources.list', () => ({ resources: [], templates: [] })),
      read: on('resources.read', ({ uri }) => ({ contents: [{ uri, text: 'text' }] })),
      subscribe: on('resources.subscribe', () => undefined),
      unsubscribe: on('resources.unsubscribe', () => undefined),
      extension: on('resources.extension', ({ method }) => ({ method })),
    },
    prompts: {
      list: on('prompts.list', () => ({ prompts: [] })),
      get: on('prompts.get', ({ name, args }) => ({ messages: [], name, args })),
      complete: on('prompts.complete', ({ argument }) => ({ completion: { values: [argument.value] } })),
      setLogLevel: on('prompts.setLogLevel', () => undefined),
    },
    profiles: {
      list: on('profiles.list', () => [...profiles.values()]),
      save: on('profiles.save', (profile: Profile) => void profiles.set(profile.name, profile)),
      remove: on('profiles.remove', (name: string) => void profiles.delete(name)),
    },
    accounts: {
      list: on('accounts.list', () => []),
      signIn: on('accounts.signIn', ({ server }) => ({
        server,
        account: 'default',
        isDefault: true,
        signedIn: true,
      })),
      answer: on('accounts.answer', () => undefined),
      signOut: on('accounts.signOut', () => undefined),
      setDefault: on('accounts.setDefault', () => undefined),
    },
    secrets: {
      list: on('secrets.list', () => []),
      set: on('secrets.set', () => undefined),
      remove: on('secrets.remove', () => undefined),
      rotate: on('secrets.rotate', () => ({ resealed: 0 })),
      unlock: on('secrets.unlock', () => undefined),
      hide: (texts) => Promise.resolve(texts),
    },
    imports: {
      scan: on('imports.scan', () => ({ files: [], found: [], nearMisses: [], problems: [] })),
      run: on('imports.run', () => ({ imported: [], skipped: [], failed: [], problems: [] })),
    },
    registries: {
      list: on('registries.list', () => []),
      save: on('registries.save', () => []),
      remove: on('registries.remove', () => []),
      search: on('registries.search', () => ({ results: [], registries: [] })),
      sync: on('registries.sync', () => ({ synced: [], failed: [] })),
    },
    plans: {
      make: on('plans.make', () => ({
        format: 'not understood',
        problems: [],
        plans: [],
        declined: [],
        choices: [],
        registries: [],
      })),
      try: on('plans.try', noPlan),
      recognise: on('plans.recognise', () => ({ format: 'not understood', servers: [], problems: [] })),
      readImage: on('plans.readImage', () => ({ text: 'text' })),
      unpack: on('plans.unpack', noPlan),
      install: on('plans.install', noPlan),
    },
    hosts: {
      attach: on('hosts.attach', ({ handlers }) => {
        const id = `host_${hosts.size + 1}`;
        hosts.set(id, handlers);
        const close = (): Promise<void> => Promise.resolve(void hosts.delete(id));
        return { id, rootsChanged: () => undefined, close, [Symbol.asyncDispose]: close };
      }),
    },
    status: on('status', () => ({
      version: options.version ?? '1.0.0',
      pid: process.pid,
      overall: 'idle' as const,
      counts: options.state ? { [options.state]: 1 } : {},
      tools: 0,
      live: LIVE.has(options.state ?? '') ? 1 : 0,
      startedAt: 1,
      home: 'home',
      storage: 'memory' as const,
      memoryBytes: 1,
    })),
    watch: (watch = {}) => events.read(watch),
    close: on('close', () => events.close()),
    [Symbol.asyncDispose]: on('close', () => events.close()),
  };

  /**
   * `toy/echo`, `toy/fail`, `toy/steps`, `toy/ask`, `toy/hang`, which waits to be cancelled, and
   * `toy/write` and `toy/wipe`, which need an approval. `toy/big` answers with a beginning.
   */
  async function call(request: CallRequest, given: CallOptions = {}, caller = NOBODY): Promise<CallResult> {
    const answered = (result: CallResult['result'], allowedBy = 'Toys are free.'): CallResult => ({
      callId: 'call_1',
      server: 'toy',
      tool: request.tool,
      durationMs: 1,
      isError: false,
      result,
      allowedBy,
    });
    switch (request.tool) {
      case 'toy/write':
      case 'toy/wipe': {
        const { args, allowedBy } = await deciding.decide(request, given, caller);
        return answered(
          { content: [{ type: 'text', text: `wrote ${JSON.stringify(args)}` }], args },
          allowedBy,
        );
      }
      case 'toy/big': {
        const result = { content: [{ type: 'text', text: request.whole ? 'all of it' : 'the begin' }] };
        return {
          ...answered(result),
          ...(request.whole ? {} : { handle: { id: 'res_1', bytes: 20_971_520, pages: 320 } }),
        };
      }
      case 'toy/steps':
        for (const progress of [1, 2, 3]) given.onProgress?.({ progress, total: 3 });
        return answered({ steps: 3 });
      case 'toy/hang':
        await new Promise<void>((resolve) => given.signal?.addEventListener('abort', () => resolve()));
        reached.push('cancelled');
        throw new PlugError('cancelled', 'Cancelled.', { owner: 'you' });
      case 'toy/ask': {
        const handler = hosts.get(request.host ?? '')?.elicitation;
        if (!handler) throw new PlugError('unsupported', 'This host cannot be asked.', { owner: 'you' });
        const signal = given.signal ?? new AbortController().signal;
        return answered(
          await handler({ server: 'toy', kind: 'elicitation', params: { message: 'name?' } }, { signal }),
        );
      }
      case 'toy/fail':
        throw new PlugError('sign_in_needed', 'Sign in first.', {
          owner: 'you',
          next: 'plug sign-in toy',
          server: 'toy',
          details: { account: 'none' },
        });
      default:
        return answered({ content: [], args: request.args });
    }
  }

  return { hub, reached, hosts, watchers: () => events.readers, emit: (event) => events.send(event) };
}

function noPlan(): never {
  throw new PlugError('not_found', 'This plan is no longer known.', { owner: 'you' });
}

function viewOf(definition: ServerDefinition): ServerView {
  return {
    id: definition.id,
    name: definition.name,
    transport: definition.endpoint.kind,
    target: describeEndpoint(definition.endpoint),
    enabled: definition.enabled,
    readOnly: definition.readOnly,
    state: { kind: 'asleep', reason: 'Nobody has needed it yet.' },
    source: definition.source,
    trust: 'none',
    toolCount: 0,
    toolsOffered: 0,
    apps: false,
    problems: [],
  };
}
