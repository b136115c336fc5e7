import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { borrowSession } from '../calls/borrow-session.ts';
import type { Host, PooledServer } from '../connections/pool.ts';
import type { Session } from '../connections/session.ts';
import { unknownHost, type Core } from './core.ts';
import type { CallOptions, ForwardedRequest } from './hub.ts';
import type { Workspace } from './workspace.ts';
import { maskSecrets } from '../calls/external-text/mask-secrets.ts';
import { wordsOfOrigin } from '../policy/reasons.ts';
import { findDataRule } from '../policy/rules/match.ts';

export interface Question {
  readonly server: string;
  readonly host: string | undefined;
  /** The capability without which the server need not be asked. */
  readonly needs?: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** Asks a server, which starts if need be. Whatever it asks back goes to whoever asked. */
export async function askServer(
  core: Core,
  workspace: Workspace,
  question: Question,
  { signal, onProgress, onLog, logLevel, handlers }: CallOptions = {},
): Promise<JsonObject> {
  const { method, params, needs } = question;
  const server = workspace.usable(question.server);
  const host = hostNamed(core, question.host);
  const timeoutMs = server.definition.timeouts.callMs ?? core.limits.callTimeoutMs;
  checkOutgoing(core, server, method, params);
  const asking = {
    timeoutMs,
    signal,
    onProgress,
    onLog,
    logLevel,
    handlers: handlers ?? host?.handlers,
    host,
  };
  // A task belongs to the account that it was begun as.
  const as = core.decisions.taskAccounts.of(server, params['taskId']);
  const answer = await borrowSession(core.pool, server, { as, host, signal }, (session) => {
    if (needs !== undefined) requireCapability(session, question.server, needs);
    return session.request(method, params, asking);
  });
  return takeIn(core, server, method, answer);
}

export async function forward(
  core: Core,
  workspace: Workspace,
  { request, methods }: { readonly request: ForwardedRequest; readonly methods: ReadonlySet<string> },
  options?: CallOptions,
): Promise<JsonObject> {
  const { server, method, params, host } = request;
  if (!methods.has(method)) {
    throw new PlugError('usage', `${method.slice(0, 80)} is not passed on to servers.`, {
      owner: 'you',
      server,
      details: { methods: [...methods] },
    });
  }
  return askServer(core, workspace, { server, host, method, params }, options);
}

export function hostNamed({ hosts }: Core, id: string | undefined): Host | undefined {
  if (id === undefined) return undefined;
  const host = hosts.get(id);
  if (!host) throw unknownHost(id);
  return host;
}

export function requireCapability(session: Session, server: string, capability: string): void {
  if (isObject(session.agreement.capabilities[capability])) return;
  throw new PlugError('unsupported', `${server} offers no ${capability}.`, { owner: 'server', server });
}

/** Resources and prompts need no approval, but their parameters carry data too: data rules hold for them. */
function checkOutgoing(core: Core, server: PooledServer, method: string, params: JsonObject): void {
  const { origins, rules } = core.decisions;
  if (!origins.enabled) return;
  const { id } = server.definition;
  const { dataDeny, dataAsk } = rules.inForce.rules;
  const found = findDataRule([...dataDeny, ...dataAsk], {
    server: { id },
    tool: { name: method },
    origins: origins.originsIn({ principal: core.owner, server: id, args: params }),
  });
  if (!found) {
    origins.sent({ principal: core.owner, server: id, args: params });
    return;
  }
  const { rule, origin } = found;
  throw new PlugError('denied', `The rule “${rule.name}” stops ${id} ${method}: ${wordsOfOrigin(origin)}.`, {
    owner: 'you',
    server: id,
    remedy: { do: 'show', what: 'rules' },
    details: { by: { kind: 'data_rule', name: rule.name, origin } },
  });
}

/** What a server answers is its words, however it was asked: secrets of ours in it are hidden, and it is remembered. */
function takeIn(core: Core, server: PooledServer, method: string, answer: JsonObject): JsonObject {
  const { origins, rules } = core.decisions;
  const { id } = server.definition;
  const { redactForeign } = core.redactor;
  const mode = rules.inForce.secretsInResults;
  const cleaned = maskSecrets(answer, { server: id, tool: method, mode, redactForeign });
  if (origins.enabled) origins.remember({ principal: core.owner, server: id, tool: method, result: cleaned });
  return cleaned;
}
