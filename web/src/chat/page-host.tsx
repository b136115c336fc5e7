import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { ignore } from '../../../src/base/errors.ts';
import { PAGE_HOST } from '../approvals/approval-words.ts';
import { useConnection } from '../frame/connection.tsx';
import { useHub, type AttachedHost, type Hub, type JsonObject } from '../hub/hub-context.tsx';

/** Something that a server wants to know while a call runs. */
export interface ServerQuestion {
  readonly id: string;
  readonly server: string;
  /** Of elicitation/create, as sent. */
  readonly params: JsonObject;
  readonly answer: (result: JsonObject) => void;
}

/**
 * This page as a host: servers that are called through it may ask its person. Answers the host's id
 * once the hub knows it; whoever calls a tool gives it along.
 */
export function usePageHost(): string | undefined {
  const host = usePageHostOf();
  const connection = useConnection();
  useEffect(() => {
    if (connection === 'live') return host.hold();
    return undefined;
  }, [host, connection]);
  return useSyncExternalStore(host.subscribe, host.id);
}

export function useServerQuestions(): readonly ServerQuestion[] {
  const host = usePageHostOf();
  return useSyncExternalStore(host.subscribe, host.questions);
}

function usePageHostOf(): PageHost {
  const hub = useHub();
  return useMemo(() => {
    const host = hosts.get(hub) ?? new PageHost(hub);
    hosts.set(hub, host);
    return host;
  }, [hub]);
}

const hosts = new WeakMap<Hub, PageHost>();

/** Attached for as long as somebody holds it, and anew whenever the hub comes back. */
class PageHost {
  readonly #hub: Hub;
  readonly #listeners = new Set<() => void>();
  #questions: readonly ServerQuestion[] = [];
  #attached: AttachedHost | undefined;
  #holders = 0;
  #held: object | undefined;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly id = (): string | undefined => this.#attached?.id;
  readonly questions = (): readonly ServerQuestion[] => this.#questions;

  hold(): () => void {
    this.#holders += 1;
    if (this.#holders === 1) ignore(this.#attach(), 'calls work without it; only questions are refused');
    return () => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      // Going from one page to the next lets go and takes hold at once: that is no reason to detach.
      window.setTimeout(() => {
        if (this.#holders === 0) this.#detach();
      }, LET_GO_MS);
    };
  }

  async #attach(): Promise<void> {
    if (this.#held) this.#detach();
    const held = {};
    this.#held = held;
    const attached = await this.#hub.hosts.attach({
      name: PAGE_HOST,
      handlers: { elicitation: ({ server, params }, { signal }) => this.#ask(server, params, signal) },
    });
    if (this.#held !== held) return void attached.close();
    this.#attached = attached;
    this.#tell();
  }

  #detach(): void {
    const attached = this.#attached;
    this.#held = undefined;
    this.#attached = undefined;
    if (attached) ignore(attached.close(), 'a hub that has gone has let go of it already');
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

const LET_GO_MS = 2_000;
const QUESTIONS_MAX = 20;
