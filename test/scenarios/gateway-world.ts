import { mkdirSync, writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { type Exchange, type Gateway, type HostSession, openGateway } from '../../src/gateway/gateway.ts';
import type { GatewayLimits } from '../../src/gateway/limits.ts';
import { type Answer, Written } from '../../src/gateway/rpc.ts';
import type { Scope } from '../../src/gateway/scope.ts';
import { openHub, type HubOptions, type RootHub } from '../../src/hub/open-hub.ts';
import type { ServerDefinition } from '../../src/servers/definition.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const META = 'io.modelcontextprotocol/';

/** A hub with these servers, nobody who answers by themselves, and its gateway, in this process. */
export async function gatewayWorld(
  servers: readonly ServerDefinition[],
  options: {
    /** `permissive`: calls run unasked. */
    readonly rules?: 'permissive';
    readonly limits?: Partial<GatewayLimits>;
    readonly clock?: Clock;
    /** Where approvals are answered. */
    readonly link?: string;
    readonly hub?: Partial<HubOptions>;
    /** As a hub keeps it over its restarts. */
    readonly stateKey?: Buffer;
  } = {},
): Promise<{ readonly hub: RootHub; readonly gateway: Gateway }> {
  const folder = temporaryFolder();
  if (options.rules === 'permissive') allowAll(`${folder}/config`);
  const hub = await openHub({
    paths: { config: `${folder}/config`, data: folder, state: folder },
    cwd: folder,
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
    version: '1.0.0',
    storage: { kind: 'memory' },
    ...options.hub,
  });
  onTestFinished(() => hub.close());
  for (const definition of servers) await hub.servers.add({ definition });
  const gateway = openGateway({
    hub,
    clock: options.clock ?? systemClock,
    ids: systemIds,
    version: '1.0.0',
    ...(options.link === undefined ? {} : { approvalLink: ({ id }) => `${options.link}/${id}` }),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.stateKey ? { stateKey: options.stateKey } : {}),
  });
  onTestFinished(() => gateway.close());
  return { hub, gateway };
}

function allowAll(config: string): void {
  mkdirSync(config, { recursive: true });
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  writeFileSync(`${config}/rules.json`, JSON.stringify({ defaults: { call } }));
}

/** What a host saw. */
export interface Seen {
  readonly asked: { readonly method: string; readonly params: JsonObject }[];
  readonly notes: { readonly method: string; readonly params: JsonObject }[];
}

export interface LegacyHost extends Seen {
  readonly result: JsonObject;
  readonly session: HostSession;
  readonly request: (method: string, params?: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;
}

/** A legacy host that answers as told. */
export async function legacyHost(
  gateway: Gateway,
  scope: Scope,
  capabilities: JsonObject = {},
  answer: (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<JsonObject> | JsonObject = () => ({}),
): Promise<LegacyHost> {
  const seen: Seen = { asked: [], notes: [] };
  const note = (method: string, params: JsonObject): void => void seen.notes.push({ method, params });
  const clientInfo = { name: 'old host', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const { result, session } = await gateway.initialize(params, {
    scope,
    principal: 'local',
    ask: async (method, asked, { signal }) => {
      seen.asked.push({ method, params: asked });
      return answer(method, asked, signal);
    },
    notify: note,
  });
  onTestFinished(() => session.close());
  const request = async (method: string, given: JsonObject = {}, signal?: AbortSignal): Promise<JsonObject> =>
    read(await session.request(method, given, exchange(note, signal)));
  return { ...seen, result, session, request };
}

export interface ModernHost extends Seen {
  readonly request: (method: string, params?: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;
}

/** A modern host: every request says who it is and what it can do. */
export function modernHost(
  gateway: Gateway,
  scope: Scope,
  capabilities: JsonObject = {},
  name = 'new host',
): ModernHost {
  const seen: Seen = { asked: [], notes: [] };
  const note = (method: string, params: JsonObject): void => void seen.notes.push({ method, params });
  let id = 0;
  const envelope = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientInfo`]: { name, version: '1' },
    [`${META}clientCapabilities`]: capabilities,
  };
  const request = async (
    method: string,
    given: JsonObject = {},
    signal?: AbortSignal,
  ): Promise<JsonObject> => {
    id += 1;
    const { _meta, ...params } = given;
    const meta = { ...envelope, ...(_meta as JsonObject | undefined) }; // a test gives an object
    const asked = { id, method, params: { ...params, _meta: meta }, scope, principal: 'local' };
    return read(await gateway.request(asked, exchange(note, signal)));
  };
  return { ...seen, request };
}

function exchange(notify: Exchange['notify'], signal?: AbortSignal): Exchange {
  const own = new AbortController();
  signal?.addEventListener('abort', () => own.abort(signal.reason), { once: true });
  return { signal: own.signal, notify, abort: (reason) => own.abort(reason) };
}

function read(answer: Answer): JsonObject {
  return answer instanceof Written ? (JSON.parse(answer.text) as JsonObject) : answer; // written by us as an object
}

/** The text of a result's first part. */
export function firstText(result: JsonObject): string {
  const [first] = result['content'] as { readonly text?: string }[]; // the fixtures answer so
  return first?.text ?? '';
}
