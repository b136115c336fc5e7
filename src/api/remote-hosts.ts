import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { HostHandler, HostHandlers, HostRequest } from '../connections/host.ts';
import type { AttachedHost, Hub } from '../hub/hub.ts';
import type { InputOf } from '../hub/operations/operation.ts';
import type { HostAnswer, HostMessage, listenerOperations } from './listener-operations.ts';

interface OpenQuestion {
  readonly message: HostMessage;
  readonly settle: (answer: HostAnswer) => void;
}

interface RemoteHost {
  readonly attached: AttachedHost;
  readonly asked: Map<string, OpenQuestion>;
  deliver: ((message: HostMessage) => void) | undefined;
  cancelGrace: Cancel;
}

/** Hosts that live as long as their stream of requests, which may come back within a grace period. */
export class RemoteHosts {
  readonly #hosts = new Map<string, RemoteHost>();
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(options: { readonly clock: Clock; readonly ids: Ids }) {
    this.#clock = options.clock;
    this.#ids = options.ids;
  }

  /** `hub` is the caller's view, so that the hub knows whose host it is. */
  async attach(
    hub: Hub,
    { answers, ...given }: InputOf<(typeof listenerOperations)['hosts.attach']>,
  ): Promise<{ readonly id: string }> {
    if (this.#hosts.size >= limits.attachedHostsMax) throw tooMany('hosts');
    const asked = new Map<string, OpenQuestion>();
    const ask: HostHandler = (request, { signal }) => this.#ask(host, request, signal);
    const handlers: HostHandlers = Object.fromEntries(answers.map((kind) => [kind, ask]));
    const attached = await hub.hosts.attach({ ...given, handlers });
    const host: RemoteHost = { attached, asked, deliver: undefined, cancelGrace: () => undefined };
    this.#hosts.set(attached.id, host);
    this.#startGrace(host);
    return { id: attached.id };
  }

  check(id: string): void {
    this.#get(id);
  }

  /** Delivers to this reader until the signal, unanswered requests first. */
  listen(id: string, signal: AbortSignal, deliver: (message: HostMessage) => void): void {
    const host = this.#get(id);
    host.cancelGrace();
    host.deliver = deliver;
    for (const { message } of host.asked.values()) deliver(message);
    const leave = (): void => {
      if (host.deliver !== deliver) return; // another stream of the same host has taken over
      host.deliver = undefined;
      this.#startGrace(host);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }

  answer(id: string, requestId: string, answer: HostAnswer): void {
    const asked = this.#get(id).asked.get(requestId);
    if (!asked) throw new PlugError('not_found', 'This question is no longer open.', { owner: 'you' });
    asked.settle(answer);
  }

  async detach(id: string): Promise<void> {
    const host = this.#get(id);
    this.#hosts.delete(id);
    host.cancelGrace();
    for (const { settle } of host.asked.values()) settle({ problem: 'The host has gone.' });
    await host.attached.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#hosts.keys()].map((id) => this.detach(id)));
  }

  #get(id: string): RemoteHost {
    const host = this.#hosts.get(id);
    if (host) return host;
    throw new PlugError('not_found', 'No such host is attached.', { owner: 'you' });
  }

  #startGrace(host: RemoteHost): void {
    host.cancelGrace = this.#clock.after(limits.hostGraceMs, () => {
      ignore(this.detach(host.attached.id), 'it fails only when the host has been detached already');
    });
  }

  #ask(host: RemoteHost, request: HostRequest, signal: AbortSignal): Promise<JsonObject> {
    if (host.asked.size >= limits.hostRequestsPendingMax) return Promise.reject(tooMany('open questions'));
    const { server, kind: asks, params } = request;
    const requestId = this.#ids.next('ask');
    return new Promise((resolve, reject) => {
      const end = (): void => {
        host.asked.delete(requestId);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        end();
        host.deliver?.({ kind: 'cancel', requestId });
        reject(signal.reason);
      };
      const settle = (answer: HostAnswer): void => {
        end();
        if ('result' in answer) resolve(answer.result);
        else reject(new PlugError('unavailable', answer.problem, { owner: 'you', server }));
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const message: HostMessage = { kind: 'request', requestId, server, asks, params };
      host.asked.set(requestId, { message, settle });
      host.deliver?.(message);
    });
  }
}

function tooMany(what: string): PlugError {
  return new PlugError('unavailable', `There are too many ${what} at once.`, { owner: 'you' });
}
