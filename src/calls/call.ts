import { toPlugError, type PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { LearnedOutputs } from '../catalog/learned/learned-outputs.ts';
import { restoreArguments } from '../catalog/providers/field-names.ts';
import type { Pool, PooledServer } from '../connections/pool.ts';
import type { PolicyInForce } from '../policy/policy-in-force.ts';
import { declaredNames } from '../policy/origins/declared-names.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Grounds } from './audit-record.ts';
import { callerOf } from './borrow-session.ts';
import { maskSecrets } from './external-text/mask-secrets.ts';
import { explainFailure, explainToolError } from '../connections/causes/explain.ts';
import { causeContext } from '../connections/causes/known-causes.ts';
import { invoke, mayRetry, type Invocation, type InvokeOptions } from './invoke.ts';
import { Permissions } from './permission.ts';
import type { Permission, PermissionOptions, PermissionRequest } from './permission.ts';
import { type Ended, type RecorderOptions, RunningCall } from './running-call.ts';
import type { KeptResult, Results } from './results/results.ts';
import { type TaskAccounts, noAccount } from './used-accounts.ts';
import type { ToolCall, ToolCallResult } from './tool-call.ts';
import { ArgumentCheck, schemaOf } from './validate.ts';

export interface CallParts extends Omit<PermissionOptions, 'check'>, RecorderOptions {
  readonly pool: Pool;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly audit: AuditLog;
  readonly policy: PolicyInForce;
  readonly redactor: { readonly redactForeign: <T>(value: T) => T };
  readonly results: Results;
  readonly learned: LearnedOutputs;
  readonly taskAccounts: TaskAccounts;
  /** Throws where no more calls of this server may be made now; undefined where nothing is counted. */
  readonly quota?: ((server: string) => Promise<void> | undefined) | undefined;
}

/** The one path of every call: resolve, check, decide, ask, connect, invoke, clean, cap, record. */
export class Calls {
  readonly #parts: CallParts;
  readonly #check: ArgumentCheck;
  readonly #permissions: Permissions;
  readonly #invoking: InvokeOptions;
  /** RNG is expensive: the run id is drawn once, and calls are counted within it. */
  readonly #run: string;
  #count = 0;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#check = new ArgumentCheck(parts.limits);
    this.#permissions = new Permissions({ ...parts, check: this.#check });
    const { pool, known, clock, limits } = parts;
    this.#invoking = { pool, known, clock, limits, permissions: this.#permissions };
    this.#run = parts.ids.next('call');
  }

  /**
   * `find` returns the usable server or throws. Awaits cost every call: a value that is there is not awaited.
   */
  async call(request: ToolCall, find: (id: string) => PooledServer): Promise<ToolCallResult> {
    const { known, accounts, audit } = this.#parts;
    const ref = known.parseName(request.tool);
    const server = find(ref.server);
    const account = accounts.of(server, request.account);
    const as = account instanceof Promise ? await this.#account(account, server, request) : account;
    if (as === undefined && request.account !== undefined) throw noAccount(ref.server, request.account);
    const meant = as === undefined ? request : { ...request, as };
    const found = this.#findFitting(server, ref.tool, meant);
    const entry = found instanceof Promise ? await found : found;
    const call = withOwnNames(meant, entry);
    const full = audit.waitForSpace();
    if (full) await full;
    const counted = this.#parts.quota?.(ref.server);
    if (counted) await counted;
    this.#count += 1;
    const callId = `${this.#run}-${this.#count}`;
    const running = new RunningCall({ callId, call, server, entry }, this.#parts);
    try {
      const asked = { call, server, entry, running };
      const asking = running.step('approve', () => this.#permissions.get(asked));
      const permission = asking instanceof Promise ? await asking : asking;
      const invocation = this.#permitted(permission, asked);
      const answer = await this.#invoke(invocation, 0);
      const keeping = this.#ended(answer, invocation, permission);
      const ended = keeping instanceof Promise ? await keeping : keeping;
      const { durationMs } = running;
      const recording = running.end(ended, durationMs);
      if (recording) await recording;
      running.ended(ended, durationMs);
      return { callId, server: ref.server, tool: ref.tool, durationMs, ...ended };
    } catch (thrown) {
      const error = explained(thrown, server, entry.tool.name);
      await running.fail(error);
      throw error;
    }
  }

  #permitted(permission: Permission, { call, server, entry, running }: PermissionRequest): Invocation {
    running.decided(permission, permission.kind === 'permitted' ? permission.args : undefined);
    if (permission.kind === 'refused') throw permission.error;
    const { permit, args } = permission;
    const { origins } = this.#parts;
    // Data we send to a server isn't its own when it repeats it.
    if (origins.enabled) {
      const declared = declaredNames(entry.tool.definition);
      origins.sent({ principal: call.principal, server: server.definition.id, args, declared });
    }
    return { permit, server, entry, args, call: running.traced(call), running };
  }

  #ended(whole: JsonObject, invocation: Invocation, grounds: Grounds): Ended | Promise<Ended> {
    const { call, server, entry, running } = invocation;
    const { policy, redactor, origins, results, learned, taskAccounts } = this.#parts;
    const { id } = server.definition;
    const { name: tool } = entry.tool;
    if (call.passTask || call.task) taskAccounts.begun(server, whole, call.as);
    const mode = policy.rules.secretsInResults;
    const { redactForeign } = redactor;
    const result = maskSecrets(whole, { server: id, tool, mode, redactForeign });
    // A server's answer may show up in the arguments of another.
    if (origins.enabled) origins.remember({ principal: call.principal, server: id, tool, result });
    const { whole: isWhole, wholeStructured } = call;
    const declares = entry.tool.definition['outputSchema'] === undefined ? 'undeclared' : 'declared';
    const structured = wholeStructured ? declares : undefined;
    const kept = results.keep({
      callId: running.callId,
      server: id,
      tool,
      result,
      whole: isWhole,
      structured,
    });
    const isError = result['isError'] === true;
    if (!isError) learned.learn(server, entry.tool, result);
    const hint = isError ? explainToolError(result, { ...causeContext(server.definition), tool }) : undefined;
    const end = (shown: KeptResult): Ended => {
      const ended = { ...shown, isError, allowedBy: allowedBy(grounds) };
      return hint ? { ...ended, hint } : ended;
    };
    return kept instanceof Promise ? kept.then(end) : end(kept);
  }

  #invoke(invocation: Invocation, attempt: number): Promise<JsonObject> {
    const { running, call, entry } = invocation;
    const invoking = running.step('invoke', () => invoke(invocation, this.#invoking));
    return Promise.resolve(invoking).catch((thrown: unknown) => {
      const error = toPlugError(thrown);
      const { risk } = entry.tool;
      if (call.signal?.aborted || !mayRetry({ risk, error, attempt })) throw error;
      running.retried();
      return this.#invoke(invocation, attempt + 1);
    });
  }

  #findFitting(server: PooledServer, name: string, call: ToolCall): CatalogTool | Promise<CatalogTool> {
    try {
      return this.#fitting(server, name, call);
    } catch (error) {
      return this.#askAgain(server, name, call, error);
    }
  }

  #fitting(server: PooledServer, name: string, call: ToolCall): CatalogTool {
    const entry = this.#parts.known.find(server, name, call.profile);
    this.#check.assertFit(entry.tool, withOwnNames(call, entry).args);
    return entry;
  }

  /** The vault may be locked. Starting the server then fails too, and its state shows why. */
  async #account<T>(account: Promise<T>, server: PooledServer, call: ToolCall): Promise<T> {
    try {
      return await account;
    } catch (error) {
      await this.#parts.pool.use(server.key, () => Promise.resolve(), callerOf(call));
      throw error;
    }
  }

  /** The server may have changed while it slept: it is asked again before the caller is refused. */
  async #askAgain(server: PooledServer, name: string, call: ToolCall, error: unknown): Promise<CatalogTool> {
    const { pool } = this.#parts;
    try {
      if (pool.state(server.key).kind === 'ready') throw error;
      await pool.use(server.key, () => Promise.resolve(), callerOf(call));
      return this.#fitting(server, name, call);
    } catch (thrown) {
      throw explained(thrown, server, name);
    }
  }
}

function explained(thrown: unknown, { definition }: PooledServer, tool: string): PlugError {
  return explainFailure(toPlugError(thrown), { ...causeContext(definition), tool });
}

function allowedBy({ decision: { reason }, approval }: Grounds): string {
  if (!approval) return reason;
  // The audit has the connection; its kind is enough here.
  const [where = 'another person'] = approval.answeredBy?.split(' ') ?? [];
  return `Approved as ${approval.id} (${where}). ${reason}`;
}

/** Models may see `$top` under a permitted name; from here on only the tool's own names are used. */
function withOwnNames(call: ToolCall, entry: CatalogTool): ToolCall {
  const schema = schemaOf(entry.tool);
  const args = isObject(schema) ? restoreArguments(schema as JsonObject, call.args) : call.args; // parsed from JSON
  return args === call.args ? call : { ...call, args };
}
