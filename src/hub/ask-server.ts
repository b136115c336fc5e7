import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { borrowSession } from '../calls/borrow-session.ts';
import { noAccount } from '../calls/used-accounts.ts';
import type { Host, PooledServer } from '../connections/pool.ts';
import type { Session } from '../connections/session.ts';
import { unknownHost, type Core } from './core.ts';
import type { CallOptions, ForwardedRequest } from './hub.ts';
import { withPeople } from './people.ts';
import type { Workspace } from './workspace.ts';
import { maskSecrets } from '../calls/external-text/mask-secrets.ts';
import { wordsOfOrigin } from '../policy/reasons.ts';
import { findDataRule } from '../policy/rules/match.ts';

export interface Question {
  /** Who asks: what came from one server is remembered for them. */
  readonly principal: string;
  readonly server: string;
  readonly host: string | undefined;
  /** Another account than the default one. */
  readonly account?: string | undefined;
  /** The capability without which the server need not be asked. */
  readonly needs?: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** Starts the server if needed. Its own questions go to the caller. */
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
  checkOutgoing(core, server, question);
  const own = handlers ? withPeople(core.hosts, handlers) : host?.handlers;
  const asking = { timeoutMs, signal, onProgress, onLog, logLevel, handlers: own, host };
  // A task belongs to the account that it was begun as.
  const as =
    core.decisions.taskAccounts.of(server, params['taskId']) ?? (await accountOf(core, server, question));
  const answer = await borrowSession(core.pool, server, { as, host, signal }, (session) => {
    if (needs !== undefined) requireCapability(session, question.server, needs);
    return session.request(method, params, asking);
  });
  return takeIn(core, server, question, answer);
}

async function accountOf(core: Core, server: PooledServer, { account }: Question) {
  if (account === undefined) return undefined;
  const as = await core.decisions.accounts.of(server, account);
  if (as === undefined) throw noAccount(server.definition.id, account);
  return as;
}

interface Forwarded extends Pick<Question, 'principal'> {
  readonly request: ForwardedRequest;
  readonly passes: boolean;
}

export async function forward(
  core: Core,
  workspace: Workspace,
  { principal, request, passes }: Forwarded,
  options?: CallOptions,
): Promise<JsonObject> {
  const { server, method, params, host } = request;
  if (passes) return askServer(core, workspace, { principal, server, host, method, params }, options);
  const why = `${method.slice(0, 80)} is not passed on to servers.`;
  throw new PlugError('unsupported', why, { owner: 'you', server });
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
function checkOutgoing(core: Core, server: PooledServer, { principal, method, params }: Question): void {
  const { origins, policy } = core.decisions;
  if (!origins.enabled) return;
  const { id } = server.definition;
  const { dataDeny, dataAsk } = policy.rules.rules;
  const sent = { principal, server: id, args: params };
  const found = findDataRule([...dataDeny, ...dataAsk], {
    server: { id },
    tool: { name: method },
    origins: origins.originsIn(sent),
  });
  if (!found) return origins.sent(sent);
  const { rule, origin } = found;
  throw new PlugError('denied', `The rule “${rule.name}” stops ${id} ${method}: ${wordsOfOrigin(origin)}.`, {
    owner: 'you',
    server: id,
    remedy: { do: 'show', what: 'rules' },
    details: { by: { kind: 'data_rule', name: rule.name, origin } },
  });
}

/** Hides our secrets in a server's answer, and remembers it for data rules. */
function takeIn(
  core: Core,
  server: PooledServer,
  { principal, method }: Question,
  answer: JsonObject,
): JsonObject {
  const { origins, policy } = core.decisions;
  const { id } = server.definition;
  const { redactForeign } = core.redactor;
  const mode = policy.rules.secretsInResults;
  const cleaned = maskSecrets(answer, { server: id, tool: method, mode, redactForeign });
  if (origins.enabled) origins.remember({ principal, server: id, tool: method, result: cleaned });
  return cleaned;
}
