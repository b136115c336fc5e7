import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { paramHeaders, decodeHeaderValue } from '../connections/http/param-headers.ts';
import type { Approver } from './approver.ts';
import { Declared, answersOf, metaOf } from './host-call.ts';
import { toRpcError } from './errors.ts';
import type { Exchange, ModernRequest } from './gateway.ts';
import type { TaskBook } from './host-tasks.ts';
import { Leases, type SlotOwner } from './leases.ts';
import type { GatewayLimits } from './limits.ts';
import { listenForChanges } from './listen.ts';
import { answerMethod, sharedMethods } from './methods.ts';
import { ModernCall, wayOf } from './modern-call.ts';
import { ParkedCalls } from './parked-calls.ts';
import type { Subject } from './request-state.ts';
import type { OpenScope } from './open-scopes.ts';
import { Rounds } from './rounds.ts';
import { RpcError, rpcCodes, Written, type Answer } from './rpc.ts';
import { modernVersions } from './versions.ts';

const META = 'io.modelcontextprotocol/';

export const modernMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'subscriptions/listen',
  ...sharedMethods.filter((method) => method !== 'tasks/result' && method !== 'tasks/list'),
]);

/** Their servers may ask questions. */
const IN_ROUNDS = new Set(['tools/call', 'prompts/get', 'resources/read']);

export interface ModernOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: GatewayLimits;
  readonly approver: Approver;
  readonly tasks: TaskBook;
  readonly stateKey?: Buffer | undefined;
}

export class ModernHosts {
  readonly #options: ModernOptions;
  readonly #parked: ParkedCalls;
  readonly #leases: Leases;
  readonly #declared = new Declared();
  readonly #closing = new AbortController();

  constructor(options: ModernOptions) {
    this.#options = options;
    this.#parked = new ParkedCalls(options);
    this.#leases = new Leases(options);
  }

  get isAtRest(): boolean {
    return this.#parked.isEmpty;
  }

  async request(openScope: OpenScope, request: ModernRequest, exchange: Exchange): Promise<Answer> {
    try {
      if (request.method === 'tools/call' && request.header) {
        const checking = checkParamHeaders(openScope, request);
        if (checking) await checking;
      }
      return await this.#answer(openScope, request, exchange);
    } catch (error) {
      throw toRpcError(error);
    }
  }

  endHost(principal: string): void {
    this.#parked.end(principal);
    this.#leases.endHost(principal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#parked.end();
    await this.#leases.close();
  }

  #answer(openScope: OpenScope, request: ModernRequest, exchange: Exchange): Promise<Answer> {
    const { method, params } = request;
    if (method === 'server/discover') return this.#discover(openScope);
    if (method === 'subscriptions/listen') return this.#listen(openScope, request, exchange);
    const capabilities = this.#capabilitiesOf(request);
    if (!IN_ROUNDS.has(method)) return this.#work(openScope, request, capabilities, exchange);
    const { requestState, inputResponses } = params;
    const isRetry = requestState !== undefined || isObject(inputResponses);
    if (!isRetry && answersOf(capabilities).length === 0) {
      return this.#work(openScope, request, capabilities, exchange);
    }
    const of = subjectOf(openScope, request);
    const way = wayOf(exchange, params);
    const ask = (inputs?: JsonObject): Promise<Answer> => {
      if (answersOf(capabilities).length === 0) {
        return this.#work(openScope, request, capabilities, exchange, inputs);
      }
      const rounds = new Rounds(way, (all) => this.#work(openScope, request, capabilities, all, inputs));
      return this.#parked.next(rounds, of, way);
    };
    // Also without capabilities: the call must not be started again.
    return isRetry ? this.#parked.resume(requestState, inputResponses, of, way, ask) : ask();
  }

  async #listen(openScope: OpenScope, request: ModernRequest, exchange: Exchange): Promise<JsonObject> {
    const owner = identify(openScope, request, this.#capabilitiesOf(request));
    const lease = await this.#leases.stay(owner);
    const { host } = lease;
    try {
      return await listenForChanges({ openScope, request, exchange, host, closing: this.#closing.signal });
    } finally {
      lease.release();
    }
  }

  async #work(
    openScope: OpenScope,
    request: ModernRequest,
    capabilities: JsonObject,
    way: Exchange | Rounds,
    /** What the host answers to a server that asked in an earlier result. */
    inputs?: JsonObject,
  ): Promise<Answer> {
    const { method, params } = request;
    const owner = identify(openScope, request, capabilities);
    const taken = this.#leases.take(owner, answersOf(capabilities).length > 0);
    const lease = taken instanceof Promise ? await taken : taken;
    try {
      // A host with a token is known by it, wherever it comes from.
      const who = request.host === undefined ? owner.who : request.principal;
      const tasks = this.#options.tasks.of(who, openScope.endpoint.only);
      const call = new ModernCall({ request, capabilities, way, host: lease.host, tasks, inputs });
      const answer = await answerMethod(openScope.endpoint, method, params, call, this.#options.approver);
      if (answer === undefined)
        throw new RpcError(rpcCodes.methodNotFound, `There is no method “${method}” here.`);
      return answer instanceof Written ? answer : stamped(method, answer, this.#options.limits);
    } finally {
      lease.release();
    }
  }

  #capabilitiesOf({ params }: ModernRequest): JsonObject {
    return this.#declared.of(metaOf(params)[`${META}clientCapabilities`]);
  }

  async #discover({ endpoint }: OpenScope): Promise<JsonObject> {
    const [capabilities, serverInfo, instructions, extra] = await Promise.all([
      endpoint.capabilities('modern'),
      endpoint.serverInfo(),
      endpoint.instructions(),
      endpoint.extra(),
    ]);
    const given = isObject(extra?.['_meta']) ? extra['_meta'] : {};
    return {
      ...extra,
      resultType: 'complete',
      supportedVersions: modernVersions,
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: this.#options.limits.listTtlMs,
      cacheScope: 'private',
      _meta: { ...given, [`${META}serverInfo`]: serverInfo },
    };
  }
}

function identify(openScope: OpenScope, request: ModernRequest, capabilities: JsonObject): SlotOwner {
  const { link, linkEnded, cwd } = request;
  const name = nameOf(request);
  // A stream identifies its host; over HTTP, its own name does.
  const who = link ?? `${openScope.key}\n${cwd ?? ''}\n${name}`;
  const place = cwd === undefined ? {} : { cwd };
  return {
    who,
    gone: linkEnded,
    attach: () => openScope.endpoint.hub.hosts.attach({ name, handlers: { capabilities }, ...place }),
  };
}

function nameOf({ host, params }: ModernRequest): string {
  const info = metaOf(params)[`${META}clientInfo`];
  const named = isObject(info) ? (info['title'] ?? info['name']) : undefined;
  return host ?? (typeof named === 'string' ? named : 'a host');
}

/** The stream is the host; over HTTP, its scope, token and name are. */
function subjectOf({ key }: OpenScope, request: ModernRequest): Subject {
  const { principal, method, params, link, linkEnded: gone, cwd = '' } = request;
  const named = `${key}\n${cwd}\n${nameOf(request)}`;
  const host = link === undefined ? named : `${key}\nstream ${link}`;
  return { principal, host, named, method, params, gone };
}

/** Fields that servers leave out, legacy ones always, and modern hosts expect. */
function stamped(method: string, answer: JsonObject, limits: GatewayLimits): JsonObject {
  const complete = answer['resultType'] === undefined ? { ...answer, resultType: 'complete' } : answer;
  if (method !== 'resources/read') return complete;
  const { ttlMs = limits.readTtlMs, cacheScope = 'private' } = complete;
  return { ...complete, ttlMs, cacheScope };
}

/** Mirrored arguments must match their headers. */
function checkParamHeaders({ endpoint }: OpenScope, request: ModernRequest): Promise<void> | undefined {
  const schema = endpoint.headerSchema(request.params['name']);
  // Usually the list is there and no tool wants headers.
  if (schema instanceof Promise) return schema.then((found) => compareParamHeaders(found, request));
  compareParamHeaders(schema, request);
  return undefined;
}

function compareParamHeaders(schema: unknown, { params, header }: ModernRequest): void {
  if (schema === undefined) return;
  for (const [name, value] of Object.entries(paramHeaders(schema, params['arguments']))) {
    const given = header?.(name.toLowerCase());
    if (given !== undefined && decodeHeaderValue(given) === decodeHeaderValue(value)) continue;
    throw new RpcError(rpcCodes.headerMismatch, `The header ${name} does not say what the arguments say.`);
  }
}
