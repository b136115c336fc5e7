import { useSyncExternalStore } from 'react';
import { ignore, PlugError } from '../../../src/base/errors.ts';
import type { Conversation, Turn } from './conversation.ts';
import { openKept } from './kept-conversations.ts';

/**
 * All conversations of this tab. They live outside of what is shown, so that a running answer goes on
 * while one looks at another page, and nothing is lost when the hub goes away.
 */
class Conversations {
  readonly #kept = openKept();
  readonly #listeners = new Set<() => void>();
  readonly #due = new Map<string, number>();
  #all: ReadonlyMap<string, Conversation> = new Map();
  #list: readonly Conversation[] = [];
  #keeping = localStorage.getItem(SWITCH) !== 'off';
  #loaded = false;

  constructor() {
    ignore(this.#load(), 'a browser that keeps nothing has nothing to load');
    window.addEventListener('pagehide', () => {
      for (const id of this.#due.keys()) this.#write(id);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly get = (id: string): Conversation | undefined => this.#all.get(id);
  readonly list = (): readonly Conversation[] => this.#list;
  readonly isLoaded = (): boolean => this.#loaded;
  readonly isKeeping = (): boolean => this.#keeping;

  put(conversation: Conversation): void {
    this.#show(new Map([...this.#all, [conversation.id, conversation]]));
    if (!this.#keeping || this.#due.has(conversation.id)) return;
    this.#due.set(
      conversation.id,
      window.setTimeout(() => this.#write(conversation.id), WRITE_AFTER_MS),
    );
  }

  change(id: string, change: (before: Conversation) => Conversation): void {
    const before = this.#all.get(id);
    if (before) this.put({ ...change(before), changedAt: Date.now() });
  }

  changeTurn(id: string, turnId: string, change: (before: Turn) => Turn): void {
    this.change(id, (before) => ({
      ...before,
      turns: before.turns.map((turn) => (turn.id === turnId ? change(turn) : turn)),
    }));
  }

  remove(id: string): void {
    this.#forgetDue(id);
    this.#show(new Map([...this.#all].filter(([each]) => each !== id)));
    ignore(this.#kept.remove(id), 'a browser that keeps nothing has nothing to remove');
  }

  removeAll(): void {
    for (const id of this.#due.keys()) this.#forgetDue(id);
    this.#show(new Map());
    ignore(this.#kept.clear(), 'a browser that keeps nothing has nothing to remove');
  }

  /** Switched off, what was kept is removed; what is shown stays until the page is closed. */
  keep(keeping: boolean): void {
    this.#keeping = keeping;
    localStorage.setItem(SWITCH, keeping ? 'on' : 'off');
    if (keeping) for (const conversation of this.#all.values()) this.put(conversation);
    else {
      for (const id of this.#due.keys()) this.#forgetDue(id);
      ignore(this.#kept.clear(), 'a browser that keeps nothing has nothing to remove');
    }
    this.#tell();
  }

  async #load(): Promise<void> {
    try {
      const found = await this.#kept.all();
      const loaded = found.map((each): [string, Conversation] => [
        each.id,
        { ...each, turns: each.turns.map(ended) },
      ]);
      this.#all = new Map([...loaded, ...this.#all]);
    } finally {
      this.#loaded = true;
      this.#show(this.#all);
    }
  }

  #write(id: string): void {
    this.#forgetDue(id);
    const conversation = this.#all.get(id);
    if (conversation) ignore(this.#kept.put(conversation), 'chat works where nothing can be kept');
  }

  #forgetDue(id: string): void {
    window.clearTimeout(this.#due.get(id));
    this.#due.delete(id);
  }

  #show(all: ReadonlyMap<string, Conversation>): void {
    this.#all = all;
    this.#list = [...all.values()].toSorted((a, b) => b.changedAt - a.changedAt);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const SWITCH = 'plug.chat.keep';
const WRITE_AFTER_MS = 400;

/** An answer that ran when the page was closed does not run any more. */
function ended(turn: Turn): Turn {
  if (turn.state !== 'running') return turn;
  const error = new PlugError('cancelled', 'The page was closed while this was answered.', {
    owner: 'you',
    remedy: { do: 'retry' },
  });
  return { ...turn, state: 'failed', error: error.toView() };
}

export const conversations: Conversations = new Conversations();

export function useConversation(id: string | undefined): Conversation | undefined {
  return useSyncExternalStore(conversations.subscribe, () =>
    id === undefined ? undefined : conversations.get(id),
  );
}

export function useConversations(): {
  readonly list: readonly Conversation[];
  readonly loaded: boolean;
  readonly keeping: boolean;
} {
  return {
    list: useSyncExternalStore(conversations.subscribe, conversations.list),
    loaded: useSyncExternalStore(conversations.subscribe, conversations.isLoaded),
    keeping: useSyncExternalStore(conversations.subscribe, conversations.isKeeping),
  };
}
