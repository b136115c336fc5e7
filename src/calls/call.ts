import type { Clock } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Entry } from '../catalog/catalog.ts';
import { restoreArguments } from '../catalog/providers/field-names.ts';
import type { Tool, ToolRef } from '../catalog/tool.ts';
import type { Pool, PooledServer } from '../connections/pool.ts';
import { findTool, type FindOptions } from './find-tool.ts';
import { invoke, type Invocation } from './invoke.ts';
import { Permissions, type Grounds, type Permission, type PermissionOptions } from './permission.ts';
import type { CallRecorder, Ended, RunningCall } from './recorder.ts';
import type { KeptResult, ResultToKeep } from './results/results.ts';
import { mayRetry } from './retry.ts';
import type { ToolCall, ToolCallResult } from './tool-call.ts';
import { ArgumentCheck, badArguments } from './validate.ts';

export interface CallsOptions extends FindOptions, PermissionOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  /** Understands every form in which the name of a tool may be written. */
  readonly parseName: (name: string) => ToolRef;
  readonly recorder: CallRecorder;
  /** Whom we are at a server; nothing to wait for where there are no accounts. */
  readonly accountName: (
    server: PooledServer,
    account?: string,
  ) => Promise<string | undefined> | string | undefined;
  /** A promise when there is no room to record another call yet. */
  readonly room: () => Promise<void> | undefined;
  /** Masks secrets of ours in what a server answered, or refuses it. */
  readonly clean: (server: PooledServer, tool: string, result: JsonObject) => JsonObject;
  readonly keep: (result: ResultToKeep) => KeptResult | Promise<KeptResult>;
  /** What a server answered may turn up in the arguments of another one. */
  readonly remember: (call: ToolCall, server: PooledServer, tool: string, result: JsonObject) => void;
  /** What results look like of a tool that does not say so. */
  readonly learn: (server: PooledServer, tool: Tool, result: JsonObject) => void;
  /** What a person could do about a tool's own error. */
  readonly hint: (server: PooledServer, tool: string, result: JsonObject) => ToolCallResult['hint'];
  /** Whose move it is, and what to do next. */
  readonly explain: (error: PlugError, server: PooledServer, tool: string) => PlugError;
}

/**
 * The one path of a call, whoever makes it: resolve, check the arguments, decide, ask, connect,
 * invoke, clean and cap, record.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #check: ArgumentCheck;
  readonly #permissions: Permissions;
  /** Drawn once, as randomness is dear: a call is a number within this run. */
  readonly #run: string;
  #count = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#check = new ArgumentCheck(options.limits);
    this.#permissions = new Permissions(options);
    this.#run = options.ids.next('call');
  }

  /**
   * `find` answers the usable server of that id, or throws why there is none. Nearly always there is
   * one thing to wait for before the record, the server: whatever else is there at once is taken at
   * once, as each wait costs every call.
   */
  async call(asked: ToolCall, find: (id: string) => PooledServer): Promise<ToolCallResult> {
    const { parseName, recorder, room, accountName } = this.#options;
    const ref = parseName(asked.tool);
    const server = find(ref.server);
    const found = this.#found(server, ref.tool, asked);
    const entry = found instanceof Promise ? await found : found;
    const named = accountName(server, asked.account);
    const name = named instanceof Promise ? await named : named;
    const call = withOwnNames(name === undefined ? asked : { ...asked, accountName: name }, entry);
    const full = room();
    if (full) await full;
    this.#count += 1;
    const callId = `${this.#run}-${this.#count}`;
    const running = recorder.begin({ callId, call, server, entry });
    try {
      const asking = running.step('approve', () => this.#permission(call, server, entry, running));
      const permission = asking instanceof Promise ? await asking : asking;
      const invocation = this.#permitted(permission, call, server, entry, running);
      const answer = await this.#invoke(invocation, running, 0);
      const keeping = this.#ended(answer, invocation, callId, permission);
      const ended = keeping instanceof Promise ? await keeping : keeping;
      const { durationMs } = running;
      const recording = running.end(ended, durationMs);
      if (recording) await recording;
      running.ended(ended, durationMs);
      return { callId, server: ref.server, tool: ref.tool, durationMs, ...ended };
    } catch (thrown) {
      const error = this.#options.explain(toPlugError(thrown), server, entry.tool.name);
      await running.fail(error);
      throw error;
    }
  }

  #permission(
    call: ToolCall,
    server: PooledServer,
    entry: Entry,
    running: RunningCall,
  ): Permission | Promise<Permission> {
    return this.#permissions.get({
      call,
      server,
      entry,
      check: (args) => this.#checkArguments(entry, args),
      again: () => this.#known(server, entry.tool.name, call),
      onWaiting: () => running.waits(),
    });
  }

  #permitted(
    permission: Permission,
    call: ToolCall,
    server: PooledServer,
    entry: Entry,
    running: RunningCall,
  ): Invocation {
    running.decided(permission, permission.kind === 'permitted' ? permission.args : undefined);
    if (permission.kind === 'refused') throw permission.error;
    const { permit, args } = permission;
    const { tool, hash } = entry;
    // The manifest is read when a server wakes: what was decided on must still be what is there.
    const stillSame = (): void => {
      if (this.#known(server, tool.name, call).hash !== hash) throw changed(entry, server);
    };
    return { permit, server, tool, args, call: running.traced(call), stillSame };
  }

  #ended(
    whole: JsonObject,
    { call, server, tool: called }: Invocation,
    callId: string,
    grounds: Grounds,
  ): Ended | Promise<Ended> {
    const { clean, keep, remember, learn, hint } = this.#options;
    const tool = called.name;
    const answer = clean(server, tool, whole);
    remember(call, server, tool, answer);
    const kept = keep({ callId, server: server.definition.id, tool, result: answer, whole: call.whole });
    const isError = answer['isError'] === true;
    if (!isError) learn(server, called, answer);
    const advice = isError ? hint(server, tool, answer) : undefined;
    const end = (result: KeptResult): Ended => {
      const ended = { ...result, isError, allowedBy: allowedBy(grounds) };
      return advice ? { ...ended, hint: advice } : ended;
    };
    return kept instanceof Promise ? kept.then(end) : end(kept);
  }

  #invoke(invocation: Invocation, running: RunningCall, attempt: number): Promise<JsonObject> {
    const invoking = running.step('invoke', () => invoke(invocation, this.#options));
    return Promise.resolve(invoking).catch((thrown: unknown) => {
      const error = toPlugError(thrown);
      const { risk } = invocation.tool;
      if (invocation.call.signal?.aborted || !mayRetry({ risk, error, attempt })) throw error;
      running.retried();
      return this.#invoke(invocation, running, attempt + 1);
    });
  }

  #found(server: PooledServer, name: string, call: ToolCall): Entry | Promise<Entry> {
    try {
      return this.#fitting(server, name, call);
    } catch (error) {
      return this.#askAgain(server, name, call, error);
    }
  }

  #fitting(server: PooledServer, name: string, call: ToolCall): Entry {
    const entry = this.#known(server, name, call);
    this.#checkArguments(entry, withOwnNames(call, entry).args);
    return entry;
  }

  /**
   * If the tool or its arguments do not fit what is known, the server is asked again before we say
   * no: it may have changed while it slept.
   */
  async #askAgain(server: PooledServer, name: string, call: ToolCall, error: unknown): Promise<Entry> {
    const { pool, explain } = this.#options;
    try {
      if (pool.state(server.key).kind === 'ready') throw error;
      await pool.use(server.key, () => Promise.resolve(), call);
      return this.#fitting(server, name, call);
    } catch (thrown) {
      throw explain(toPlugError(thrown), server, name);
    }
  }

  #known(server: PooledServer, name: string, { profile }: ToolCall): Entry {
    const found = findTool(server, name, profile, this.#options);
    if (found.kind === 'error') throw found.error;
    return found.entry;
  }

  #checkArguments(entry: Entry, args: JsonObject): void {
    const problem = this.#check.problem(schemaOf(entry), args);
    if (problem) throw badArguments(entry.tool.ref, problem);
  }
}

/** A person's yes goes before the reason for which they were asked. */
function allowedBy({ decision: { reason }, approval }: Grounds): string {
  if (!approval) return reason;
  // Which connection it was stands in the audit; here the kind of it says enough.
  const [where = 'somebody'] = approval.answeredBy?.split(' ') ?? [];
  return `Approved as ${approval.id} (${where}). ${reason}`;
}

function schemaOf({ tool }: Entry): unknown {
  return tool.schema ?? tool.definition['inputSchema'];
}

/**
 * A model may have been shown `$top` under a name that its provider permits. Everything from here
 * on, rules and people included, knows only the tool's own names; arguments that use them stay.
 */
function withOwnNames(call: ToolCall, entry: Entry): ToolCall {
  const schema = schemaOf(entry);
  // A schema came as JSON.
  const args = isObject(schema) ? restoreArguments(schema as JsonObject, call.args) : call.args;
  return args === call.args ? call : { ...call, args };
}

function changed({ tool: { ref } }: Entry, { definition: { id } }: PooledServer): PlugError {
  return new PlugError('denied', `${ref} is not what was decided on any more: its definition changed.`, {
    owner: 'server',
    server: id,
    next: `plug tools --audit ${id}`,
  });
}
