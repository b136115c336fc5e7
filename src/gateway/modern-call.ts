import { isObject, type JsonObject } from '../base/json.ts';
import type { HostHandlers } from '../connections/host.ts';
import { isLevel } from '../connections/in-flight.ts';
import type { Exchange, ModernRequest } from './gateway.ts';
import { handlersFor, metaOf, passedMeta, progressTokenOf, type HostCall } from './host-call.ts';
import type { HostTasks } from './host-tasks.ts';
import { Rounds, type HostWay } from './rounds.ts';
import type { RpcId } from './rpc.ts';

const META = 'io.modelcontextprotocol/';

export interface ModernCallOptions {
  readonly request: ModernRequest;
  readonly capabilities: JsonObject;
  readonly way: Exchange | Rounds;
  /** The hub's id of it. */
  readonly host: string;
  readonly tasks: HostTasks;
  /** What the host answers to a server that asked in an earlier result. */
  readonly inputs: JsonObject | undefined;
}

/**
 * A class, because every request makes one: an object literal with getters would get a hidden class of its
 * own each time, which the engine keeps in old space, and with it all that the request has made.
 */
export class ModernCall implements HostCall {
  readonly era = 'modern';
  readonly host: string;
  readonly hasToken: boolean;
  readonly handlers: HostHandlers;
  readonly meta: JsonObject | undefined;
  readonly followsTasks: boolean;
  readonly tasks: HostTasks;
  readonly inRounds: boolean;
  readonly inputs: JsonObject | undefined;
  readonly #way: Exchange | Rounds;
  readonly #wants: Pick<HostWay, 'progressToken' | 'logLevel'>;

  constructor({ request, capabilities, way, host, tasks, inputs }: ModernCallOptions) {
    const { params } = request;
    const inRounds = way instanceof Rounds;
    this.host = host;
    this.hasToken = request.host !== undefined;
    this.handlers = inRounds
      ? handlersFor(capabilities, tasks, (asked, signal) => way.ask(asked, signal))
      : { capabilities };
    this.meta = passedMeta(metaOf(params));
    this.followsTasks = followsTasks(capabilities);
    this.tasks = tasks;
    this.inRounds = inRounds;
    this.inputs = inputs;
    this.#way = way;
    this.#wants = inRounds ? way : wayOf(way, params);
  }

  get signal(): AbortSignal {
    return this.#way.signal;
  }

  get progressToken(): RpcId | undefined {
    return this.#wants.progressToken;
  }

  get logLevel(): string | undefined {
    return this.#wants.logLevel;
  }

  get wantsLogs(): boolean {
    return this.#wants.logLevel !== undefined;
  }

  notify(method: string, params: JsonObject): void {
    this.#way.notify(method, params);
  }

  abort(reason: Error): void {
    this.#way.abort(reason);
  }
}

export function wayOf(exchange: Exchange, params: JsonObject): HostWay {
  const meta = metaOf(params);
  const level = meta[`${META}logLevel`];
  return {
    exchange,
    progressToken: progressTokenOf(meta),
    logLevel: isLevel(level) ? level : undefined,
  };
}

function followsTasks({ extensions }: JsonObject): boolean {
  return isObject(extensions) && isObject(extensions[`${META}tasks`]);
}
