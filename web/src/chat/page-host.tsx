import { useMemo, useSyncExternalStore } from 'react';
import { ignore, PlugError } from '../../../src/base/errors.ts';
import type { HostHandler, HostRequest } from '../../../src/connections/host.ts';
import { PAGE_HOST } from '../approvals/approval-words.ts';
import { useHub, type AttachedHost, type Hub, type JsonObject } from '../hub/hub-context.tsx';

/** Something that a server wants to know while a call runs. */
export interface ServerQuestion {
  readonly id: string;
  readonly kind: 'elicitation' | 'sampling';
  readonly server: string;
  /** As sent. */
  readonly params: JsonObject;
  readonly answer: (result: JsonObject) => void;
  /** The person does not want it, or is gone. */
  readonly refuse: () => void;
}

export function useServerQuestions(): readonly ServerQuestion[] {
  const hub = useHub();
  const host = useMemo(() => pageHostOf(hub), [hub]);
  return useSyncExternalStore(host.subscribe, host.questions);
}

/** This page as a host: servers that are called through it may ask its person. */
export function pageHostOf(hub: Hub): PageHost {
  const host = hosts.get(hub) ?? new PageHost(hub);
  hosts.set(hub, host);
  return host;
}

const hosts = new WeakMap<Hub, PageHost>();

/**
 * Attached only while something runs that may ask: an attached host is a request that stays open, and a
 * browser keeps six of them to one address for all its tabs together.
 */
class PageHost {
  readonly #hub: Hub;
  readonly #listeners = new Set<() => void>();
  #questions: readonly ServerQuestion[] = [];
  #attaching: Promise<AttachedHost | undefined> | undefined;
  #running = 0;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly questions = (): readonly ServerQuestion[] => this.#questions;

  /** Runs something whose servers may ask the person here. `given` names this host to the hub. */
  async during<T>(run: (given: { readonly host?: string }) => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      this.#attaching ??= this.#attach();
      const attached = await this.#attaching;
      return await run(attached ? { host: attached.id } : {});
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#detach();
    }
  }

  /** Calls work without it; only questions are refused then. */
  async #attach(): Promise<AttachedHost | undefined> {
    try {
      const hasModel = (await this.#hub.models.list()).length > 0;
      const ask: HostHandler = (request, { signal }) => this.#ask(request, signal);
      const handlers = { elicitation: ask, ...(hasModel ? { sampling: ask } : {}) };
      return await this.#hub.hosts.attach({ name: PAGE_HOST, handlers });
    } catch {
      return undefined;
    }
  }

  #detach(): void {
    const attaching = this.#attaching;
    this.#attaching = undefined;
    const closed = attaching?.then((attached) => attached?.close());
    if (closed) ignore(closed, 'a hub that has gone has let go of it already');
    for (const { refuse } of this.#questions) refuse();
    this.#tell();
  }

  #ask({ server, kind, params }: HostRequest, signal: AbortSignal): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const isSampling = kind === 'sampling';
    const end = (): void => {
      this.#questions = this.#questions.filter((each) => each !== question);
      this.#tell();
    };
    const question: ServerQuestion = {
      id: crypto.randomUUID(),
      kind: isSampling ? 'sampling' : 'elicitation',
      server,
      params,
      answer: (result) => {
        end();
        resolve(result);
      },
      refuse: () => {
        end();
        // Only a form has an answer that says no.
        if (isSampling) reject(notLet(server));
        else resolve({ action: 'cancel' });
      },
    };
    signal.addEventListener('abort', () => question.refuse(), { once: true });
    this.#questions = [...this.#questions, question].slice(-QUESTIONS_MAX);
    this.#tell();
    return promise;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const QUESTIONS_MAX = 20;

function notLet(server: string): PlugError {
  return new PlugError('denied', `You didn't let ${server} use the model.`, { owner: 'you', server });
}
