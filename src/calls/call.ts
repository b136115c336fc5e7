import { offeredTools } from '../catalog/catalog.ts';
import { parseToolRef, type Tool } from '../catalog/tool.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { paramHeaders } from '../connections/http/param-headers.ts';
import type { ProgressNote } from '../connections/peer.ts';
import type { Host, Pool, PooledServer } from '../connections/pool.ts';
import type { Session } from '../connections/session.ts';
import { callAsTask, finishTask, needsTask } from '../connections/tasks.ts';
import type { Profile } from '../servers/profile.ts';
import { ArgumentCheck, badArguments } from './validate.ts';
import { nearest } from './nearest.ts';

export interface ToolCall {
  /** `server/tool`. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly profile?: Profile | undefined;
  readonly host?: Host | undefined;
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

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#check = new ArgumentCheck(options.limits);
  }

  /** `find` answers the usable server of that id, or throws why there is none. */
  async call(call: ToolCall, find: (id: string) => PooledServer): Promise<ToolCallResult> {
    const { clock, ids } = this.#options;
    const ref = parseToolRef(call.tool);
    const server = find(ref.server);
    const started = clock.monotonic();
    const tool = await this.#resolve(server, ref.tool, call);
    const result = await this.#options.pool.use(
      server.key,
      (session) => this.#invoke(session, server, tool, call),
      {
        host: call.host,
        signal: call.signal,
      },
    );
    return {
      callId: ids.next('call'),
      server: ref.server,
      tool: ref.tool,
      durationMs: clock.monotonic() - started,
      isError: result['isError'] === true,
      result,
    };
  }

  /**
   * From the manifest, without waking anybody. If the tool or its arguments do not fit what is
   * known, the server is asked again before we say no: it may have changed while it slept.
   */
  async #resolve(server: PooledServer, name: string, call: ToolCall): Promise<Tool> {
    const known = this.#find(server, name, call);
    if ('tool' in known) return known.tool;
    const asleep = this.#options.pool.state(server.key).kind !== 'ready';
    if (!asleep) throw known.error;
    await this.#options.pool.use(server.key, () => Promise.resolve(), {
      host: call.host,
      signal: call.signal,
    });
    const fresh = this.#find(server, name, call);
    if ('tool' in fresh) return fresh.tool;
    throw fresh.error;
  }

  #find(server: PooledServer, name: string, call: ToolCall): { tool: Tool } | { error: PlugError } {
    const tools = this.#options.pool.manifest(server.key)?.tools ?? [];
    const raw = tools.find((each) => each.name === name);
    const offered = raw && offeredTools(server.definition, [raw], call.profile)[0];
    if (!raw || !offered) return { error: notOffered(server, name, tools, raw !== undefined) };
    const problem = this.#check.problem(raw['inputSchema'], call.args);
    return problem ? { error: badArguments(offered.ref, problem) } : { tool: offered };
  }

  async #invoke(session: Session, server: PooledServer, tool: Tool, call: ToolCall): Promise<JsonObject> {
    const { limits, clock } = this.#options;
    const { timeouts } = server.definition;
    const timeoutMs =
      call.timeoutMs ?? timeouts.toolMs?.[tool.name] ?? timeouts.callMs ?? limits.callTimeoutMs;
    const params: JsonObject = {
      name: tool.name,
      arguments: call.args,
      ...(call.meta ? { _meta: call.meta } : {}),
    };
    const headers =
      session.modern && session.transport === 'streamable-http'
        ? paramHeaders(tool.definition['inputSchema'], call.args)
        : undefined;
    const options = {
      timeoutMs,
      signal: call.signal,
      onProgress: call.onProgress,
      headers,
      handlers: call.host?.handlers,
    };
    const task = { clock, limits, ...options };
    if (needsTask(session, tool.definition)) return callAsTask(session, params, task);
    const result = await session.request('tools/call', params, options);
    return result['resultType'] === 'task' ? finishTask(session, result, task) : result;
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
