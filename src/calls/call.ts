import { parseToolRef, type Tool } from '../catalog/tool.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { paramHeaders } from '../connections/http/param-headers.ts';
import type { ProgressNote } from '../connections/peer.ts';
import type { Host, Pool, PooledServer } from '../connections/pool.ts';
import type { Session, SessionRequestOptions } from '../connections/session.ts';
import { callAsTask, finishTask, needsTask } from '../connections/tasks.ts';
import type { Profile } from '../servers/profile.ts';
import { ArgumentCheck, badArguments } from './validate.ts';
import { nearest } from './nearest.ts';
import { ToolLookup } from './tool-lookup.ts';

export interface ToolCall {
  /** `server/tool`. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly profile?: Profile | undefined;
  readonly host?: Host | undefined;
  /** An account other than the default one. */
  readonly account?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly meta?: JsonObject | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((note: ProgressNote) => void) | undefined;
}

export interface ToolCallResult {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly durationMs: number;
  readonly isError: boolean;
  readonly result: JsonObject;
}

export interface CallsOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
}

/** The one path of a call: resolve, check the arguments, connect, invoke. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #check: ArgumentCheck;
  readonly #lookup = new ToolLookup();
  /** Drawn once, as randomness is dear: a call is a number within this run. */
  readonly #run: string;
  #count = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#check = new ArgumentCheck(options.limits);
    this.#run = options.ids.next('call');
  }

  /** `find` answers the usable server of that id, or throws why there is none. */
  async call(call: ToolCall, find: (id: string) => PooledServer): Promise<ToolCallResult> {
    const { clock, pool } = this.#options;
    const ref = parseToolRef(call.tool);
    const server = find(ref.server);
    const started = clock.monotonic();
    const known = this.#find(server, ref.tool, call);
    const tool = 'tool' in known ? known.tool : await this.#askAgain(server, ref.tool, call, known.error);
    const first = await pool.use(server.key, (session) => this.#invoke(session, server, tool, call), call);
    const result = first['resultType'] === 'task' ? await this.#finish(first, server, tool, call) : first;
    this.#count += 1;
    return {
      callId: `${this.#run}-${this.#count}`,
      server: ref.server,
      tool: ref.tool,
      durationMs: clock.monotonic() - started,
      isError: result['isError'] === true,
      result,
    };
  }

  /** From the manifest, without waking anybody. */
  #find(server: PooledServer, name: string, call: ToolCall): { tool: Tool } | { error: PlugError } {
    const tools = this.#options.pool.manifest(server.key)?.tools ?? [];
    const raw = this.#lookup.find(tools, name);
    const offered = raw && this.#lookup.offered(server.definition, raw, call.profile);
    if (!raw || !offered) return { error: notOffered(server, name, tools, raw !== undefined) };
    const problem = this.#check.problem(raw['inputSchema'], call.args);
    return problem ? { error: badArguments(offered.ref, problem) } : { tool: offered };
  }

  /**
   * If the tool or its arguments do not fit what is known, the server is asked again before we say
   * no: it may have changed while it slept.
   */
  async #askAgain(server: PooledServer, name: string, call: ToolCall, error: PlugError): Promise<Tool> {
    const asleep = this.#options.pool.state(server.key).kind !== 'ready';
    if (!asleep) throw error;
    await this.#options.pool.use(server.key, () => Promise.resolve(), call);
    const fresh = this.#find(server, name, call);
    if ('tool' in fresh) return fresh.tool;
    throw fresh.error;
  }

  #invoke(session: Session, server: PooledServer, tool: Tool, call: ToolCall): Promise<JsonObject> {
    const params: JsonObject = {
      name: tool.name,
      arguments: call.args,
      ...(call.meta ? { _meta: call.meta } : {}),
    };
    const headers =
      session.modern && session.transport === 'streamable-http'
        ? paramHeaders(tool.definition['inputSchema'], call.args)
        : undefined;
    const options = this.#optionsOf(server, tool, call, headers);
    if (needsTask(session, tool.definition))
      return callAsTask(session, params, { ...this.#options, ...options });
    return session.request('tools/call', params, options);
  }

  /** A modern server may answer with the handle of a task: it is followed to its end. */
  #finish(handle: JsonObject, server: PooledServer, tool: Tool, call: ToolCall): Promise<JsonObject> {
    const options = { ...this.#options, ...this.#optionsOf(server, tool, call, undefined) };
    return this.#options.pool.use(server.key, (session) => finishTask(session, handle, options), call);
  }

  #optionsOf(
    { definition: { timeouts } }: PooledServer,
    { name }: Tool,
    { timeoutMs, signal, onProgress, host }: ToolCall,
    headers: Readonly<Record<string, string>> | undefined,
  ): SessionRequestOptions {
    const own = timeouts.toolMs && Object.hasOwn(timeouts.toolMs, name) ? timeouts.toolMs[name] : undefined;
    return {
      timeoutMs: timeoutMs ?? own ?? timeouts.callMs ?? this.#options.limits.callTimeoutMs,
      signal,
      onProgress,
      headers,
      handlers: host?.handlers,
    };
  }
}

function notOffered(
  server: PooledServer,
  name: string,
  tools: readonly { readonly name: string }[],
  hidden: boolean,
): PlugError {
  const { id } = server.definition;
  const near = hidden
    ? []
    : nearest(
        name,
        tools.map((tool) => tool.name),
      );
  const guess = near.length > 0 ? ` Did you mean ${near.map((each) => `${id}/${each}`).join(', ')}?` : '';
  const why = hidden
    ? `${id}/${name} is not offered: a filter, a profile or read-only mode hides it.`
    : `${id} has no tool “${name}”.${guess}`;
  return new PlugError('not_found', why, {
    owner: 'you',
    server: id,
    next: `plug tools ${id}`,
    details: { near },
  });
}
