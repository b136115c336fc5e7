import { useMemo, useSyncExternalStore } from 'react';
import { ignore } from '../../../src/base/errors.ts';
import { PAGE_HOST } from '../approvals/approval-words.ts';
import { useHub, type AttachedHost, type Hub, type JsonObject } from '../hub/hub-context.tsx';

/** Something that a server wants to know while a call runs. */
export interface ServerQuestion {
  readonly id: string;
  readonly server: string;
  /** Of elicitation/create, as sent. */
  readonly params: JsonObject;
  readonly answer: (result: JsonObject) => void;
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
      return await this.#hub.hosts.attach({
        name: PAGE_HOST,
        handlers: { elicitation: ({ server, params }, { signal }) => this.#ask(server, params, signal) },
      });
    } catch {
      return undefined;
    }
  }

  #detach(): void {
    const attaching = this.#attaching;
    this.#attaching = undefined;
    const closed = attaching?.then((attached) => attached?.close());
    if (closed) ignore(closed, 'a hub that has gone has let go of it already');
    for (const { answer } of this.#questions) answer({ action: 'cancel' });
    this.#tell();
  }

  #ask(server: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    const question: ServerQuestion = {
      id: crypto.randomUUID(),
      server,
      params,
      answer: (result) => {
        this.#questions = this.#questions.filter((each) => each !== question);
        this.#tell();
        resolve(result);
      },
    };
    signal.addEventListener('abort', () => question.answer({ action: 'cancel' }), { once: true });
    this.#questions = [...this.#questions, question].slice(-QUESTIONS_MAX);
    this.#tell();
    return promise;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const QUESTIONS_MAX = 20;
