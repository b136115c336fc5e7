import { ignore } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { AttachedHost, HubEvent, LogEntry, Subscription } from '../hub/hub.ts';
import type { Approver } from './approver.ts';
import type { HostTasks, TaskBook } from './host-tasks.ts';
import type { OpenScope } from './open-scopes.ts';
import type { Exchange, HostLink, HostSession } from './gateway.ts';
import { handlersFor, metaOf, methodOf, passedMeta, progressTokenOf, type HostCall } from './host-call.ts';
import { isLevel, reachesLevel } from '../connections/in-flight.ts';
import { answerMethod, findResource } from './methods.ts';
import { RpcError, rpcCodes, type Answer } from './rpc.ts';
import { toRpcError } from './errors.ts';
import { serverLog, taskWords } from './call-tool.ts';
import { PAGE_DONE, UrlQuestions } from './url-questions.ts';

const VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

interface OpenSessionOptions {
  readonly openScope: OpenScope;
  readonly params: JsonObject;
  readonly link: HostLink;
  readonly approver: Approver;
  readonly tasks: TaskBook;
  readonly ids: Ids;
}

export async function openSession(
  options: OpenSessionOptions,
): Promise<{ readonly result: JsonObject; readonly session: HostSession }> {
  const { openScope, params, link, approver, tasks: book, ids } = options;
  const { endpoint } = openScope;
  const wanted = params['protocolVersion'];
  const protocolVersion = typeof wanted === 'string' && VERSIONS.includes(wanted) ? wanted : VERSIONS[0];
  const capabilities = isObject(params['capabilities']) ? params['capabilities'] : {};
  const info = isObject(params['clientInfo']) ? params['clientInfo'] : {};
  const name = info['title'] ?? info['name'];
  const [offered, serverInfo, instructions, extra] = await Promise.all([
    endpoint.capabilities('legacy'),
    endpoint.serverInfo(),
    endpoint.instructions(),
    endpoint.extra(),
  ]);
  // A host with a token is the same one in its next session; of another, only the session is known.
  const owner = link.host === undefined ? book.newOwner() : link.principal;
  const tasks = book.of(owner, endpoint.only);
  const host = await endpoint.hub.hosts.attach({
    name: link.host ?? (typeof name === 'string' ? name : 'a host'),
    era: 'legacy',
    handlers: handlersFor(
      capabilities,
      tasks,
      ({ kind, params: asked }, signal) =>
        new UrlQuestions(ids).ask(asked, (dressed) => link.ask(methodOf[kind], dressed, { signal })),
      (elicitationId) => link.notify(PAGE_DONE, { elicitationId }),
    ),
    ...(link.cwd === undefined ? {} : { cwd: link.cwd }),
  });
  const session = new LegacySession({ openScope, link, capabilities, host, approver, tasks, ids });
  const result = {
    ...extra,
    protocolVersion,
    capabilities: offered,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
  return { result, session };
}

interface LegacySessionOptions {
  readonly openScope: OpenScope;
  readonly link: HostLink;
  readonly capabilities: JsonObject;
  readonly host: AttachedHost;
  readonly approver: Approver;
  readonly tasks: HostTasks;
  readonly ids: Ids;
}

/** How a request's host is told something: on the request's own stream until it is answered. */
interface WayBack {
  readonly exchange: Exchange;
  answered: boolean;
}

type TaskStatus = Extract<HubEvent, { readonly kind: 'task-status' }>;
type ServerLog = Extract<HubEvent, { readonly kind: 'server-log' }>;

class LegacySession implements HostSession {
  readonly #options: LegacySessionOptions;
  readonly #watched = new Map<string, Subscription>();
  readonly #stops: (() => void)[] = [];
  #logLevel: string | undefined;

  constructor(options: LegacySessionOptions) {
    this.#options = options;
    const { link, openScope } = options;
    this.#stops.push(
      openScope.changes.listen({
        onLists: (kinds) => {
          for (const kind of kinds) link.notify(`notifications/${kind}/list_changed`, {});
        },
        onResource: (server, uri) => {
          const shown = openScope.endpoint.uris.out(server, uri);
          if (this.#watched.has(shown)) link.notify('notifications/resources/updated', { uri: shown });
        },
      }),
      openScope.endpoint.view.onChange((change) => {
        if (change.kind === 'task') this.#tellTask(change.status);
        if (change.kind === 'log') this.#hearLog(change.entry);
      }),
    );
  }

  /** Of its own tasks alone. */
  #tellTask({ server, task, host: owner }: TaskStatus): void {
    const { link, tasks, host } = this.#options;
    if (owner !== undefined && owner !== host.id) return;
    if (tasks.shownId(server, task['taskId']) === undefined) return;
    link.notify('notifications/tasks/status', taskWords(server, tasks.show(server, task)));
  }

  /** Those of a request are told with it. */
  #hearLog(entry: ServerLog): void {
    if (this.#logLevel === undefined || !reachesLevel(entry.level, this.#logLevel)) return;
    const { host: owner, inRequest } = entry;
    if (inRequest || (owner !== undefined && owner !== this.#options.host.id)) return;
    ignore(this.#tellLog(entry), 'a profile that cannot be read shows nothing');
  }

  /** Logs outside requests, if the profile includes the server. */
  async #tellLog(entry: LogEntry): Promise<void> {
    const { link, openScope } = this.#options;
    const reaches = await openScope.endpoint.reach();
    if (reaches(entry.server)) link.notify('notifications/message', serverLog(entry));
  }

  async request(method: string, params: JsonObject, exchange: Exchange): Promise<Answer> {
    const { openScope, approver } = this.#options;
    const pages = new UrlQuestions(this.#options.ids);
    const way = { exchange, answered: false };
    try {
      const call = this.#call(params, way, pages);
      const shared = answerMethod(openScope.endpoint, method, params, call, approver);
      const answer = await (shared ?? this.#own(method, params));
      for (const elicitationId of pages.done) exchange.notify(PAGE_DONE, { elicitationId });
      return answer;
    } catch (error) {
      throw toRpcError(error);
    } finally {
      way.answered = true;
    }
  }

  notification(method: string): void {
    if (method === 'notifications/roots/list_changed') this.#options.host.rootsChanged();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    const { openScope, link, tasks } = this.#options;
    const { resources } = openScope;
    if (link.host === undefined) tasks.end();
    for (const watched of this.#watched.values()) resources.unwatch(watched);
    this.#watched.clear();
    await this.#options.host.close();
  }

  async #own(method: string, params: JsonObject): Promise<Answer> {
    switch (method) {
      case 'ping':
        return {};
      case 'logging/setLevel':
        if (!isLevel(params['level'])) throw new RpcError(rpcCodes.invalidParams, 'There is no such level.');
        this.#logLevel = params['level'];
        return {};
      case 'resources/subscribe':
        await this.#subscribe(params['uri']);
        return {};
      case 'resources/unsubscribe':
        await this.#unsubscribe(params['uri']);
        return {};
      default:
        throw new RpcError(rpcCodes.methodNotFound, `There is no method “${method.slice(0, 100)}” here.`);
    }
  }

  async #subscribe(shown: unknown): Promise<void> {
    const { openScope, host } = this.#options;
    const { server, uri } = await findResource(openScope.endpoint, shown);
    const key = openScope.endpoint.uris.out(server, uri);
    if (this.#watched.has(key)) return;
    const watched = { server, uri, host: host.id };
    this.#watched.set(key, watched);
    try {
      await openScope.resources.watch(watched);
    } catch (error) {
      this.#watched.delete(key);
      throw error;
    }
  }

  async #unsubscribe(shown: unknown): Promise<void> {
    const { openScope } = this.#options;
    const { server, uri } = await findResource(openScope.endpoint, shown);
    const key = openScope.endpoint.uris.out(server, uri);
    const watched = this.#watched.get(key);
    if (watched && this.#watched.delete(key)) openScope.resources.unwatch(watched);
  }

  #call(params: JsonObject, way: WayBack, pages: UrlQuestions): HostCall {
    const { exchange } = way;
    const { link, capabilities, host, tasks } = this.#options;
    const meta = metaOf(params);
    return {
      era: 'legacy',
      hasToken: link.host !== undefined,
      signal: exchange.signal,
      host: host.id,
      handlers: handlersFor(
        capabilities,
        tasks,
        ({ kind, params: asked }, signal) =>
          pages.ask(asked, (dressed) => link.ask(methodOf[kind], dressed, { signal, during: exchange })),
        // A page may be done with long after the request was answered.
        (elicitationId) => (way.answered ? link : exchange).notify(PAGE_DONE, { elicitationId }),
      ),
      progressToken: progressTokenOf(meta),
      logLevel: this.#logLevel,
      wantsLogs: true,
      meta: passedMeta(meta),
      followsTasks: false,
      tasks,
      inRounds: false,
      inputs: undefined,
      notify: (method, notice) => exchange.notify(method, notice),
      abort: (reason) => exchange.abort(reason),
    };
  }
}
