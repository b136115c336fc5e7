import { useSyncExternalStore } from 'react';
import { ignore } from '../../../src/base/errors.ts';
import type { Conversation, Turn } from './conversation.ts';
import { withoutRunning } from './end-turn.ts';
import { openKept } from './kept-conversations.ts';

/** What a tab tells the others: they read the rest where conversations are kept. */
type Message =
  | { readonly kind: 'changed'; readonly id: string }
  | { readonly kind: 'removed'; readonly id: string }
  | { readonly kind: 'cleared' }
  | { readonly kind: 'keeping'; readonly on: boolean };

/**
 * All conversations, as every tab of this browser shows them. They live outside of what is shown, so that a
 * running answer goes on while one looks at another page, and nothing is lost when the hub goes away.
 */
class Conversations {
  readonly #kept = openKept();
  readonly #listeners = new Set<() => void>();
  readonly #due = new Map<string, number>();
  readonly #tabs = new BroadcastChannel('plug.chat');
  readonly #told = new Set<string>();
  #all: ReadonlyMap<string, Conversation> = new Map();
  #list: readonly Conversation[] = [];
  #keeping = localStorage.getItem(SWITCH) !== 'off';
  #loaded = false;

  constructor() {
    ignore(this.#load(), 'a browser that keeps nothing has nothing to load');
    window.addEventListener('pagehide', () => {
      for (const id of this.#due.keys()) ignore(this.flush(id), 'the page goes');
    });
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
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
      window.setTimeout(() => ignore(this.flush(conversation.id), 'it never fails'), WRITE_AFTER_MS),
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
    this.#drop(id);
    ignore(this.#kept.remove(id), 'a browser that keeps nothing has nothing to remove');
    this.#post({ kind: 'removed', id });
  }

  removeAll(): void {
    this.#dropAll();
    ignore(this.#kept.clear(), 'a browser that keeps nothing has nothing to remove');
    this.#post({ kind: 'cleared' });
  }

  /** What this tab knows of a turn counts, until the answer is another tab's to tell. */
  tells(turnId: string, telling: boolean): void {
    if (telling) this.#told.add(turnId);
    else this.#told.delete(turnId);
  }

  /** Keeps what is shown now, and lets the other tabs show it. */
  async flush(id: string): Promise<void> {
    this.#forgetDue(id);
    const conversation = this.#all.get(id);
    if (!conversation || !this.#keeping) return;
    try {
      await this.#kept.put(conversation);
      this.#post({ kind: 'changed', id });
    } catch {
      // Chat works where nothing can be kept.
    }
  }

  /** Shows what another tab has kept. */
  async refresh(id: string): Promise<void> {
    try {
      const kept = await this.#kept.get(id);
      if (kept) this.#show(new Map([...this.#all, [id, joined(this.#all.get(id), kept, this.#told)]]));
    } catch {
      // Where nothing can be kept, there is nothing to show.
    }
  }

  /** Switched off, what was kept is removed; what is shown stays until the page is closed. */
  keep(keeping: boolean): void {
    this.#keeping = keeping;
    this.#post({ kind: 'keeping', on: keeping });
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
        {
          ...each,
          turns: each.turns.map((turn) => (turn.state === 'running' ? turn : withoutRunning(turn))),
        },
      ]);
      this.#all = new Map([...loaded, ...this.#all]);
    } finally {
      this.#loaded = true;
      this.#show(this.#all);
    }
  }

  #hear(message: Message): void {
    if (message.kind === 'changed') ignore(this.refresh(message.id), 'it never fails');
    else if (message.kind === 'removed') this.#drop(message.id);
    else if (message.kind === 'cleared') this.#dropAll();
    else {
      this.#keeping = message.on;
      if (!message.on) for (const id of this.#due.keys()) this.#forgetDue(id);
      this.#tell();
    }
  }

  #post(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    this.#tabs.postMessage(message);
  }

  #drop(id: string): void {
    this.#forgetDue(id);
    this.#show(new Map([...this.#all].filter(([each]) => each !== id)));
  }

  #dropAll(): void {
    for (const id of this.#due.keys()) this.#forgetDue(id);
    this.#show(new Map());
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

/** Two tabs may have changed a conversation: the later change counts, but for what one of them hears or has ended. */
function joined(mine: Conversation | undefined, kept: Conversation, told: ReadonlySet<string>): Conversation {
  if (!mine) return kept;
  const [later, other] = mine.changedAt > kept.changedAt ? [mine, kept] : [kept, mine];
  const known = new Map(other.turns.map((turn) => [turn.id, turn]));
  const turns = later.turns.map((turn) => {
    if (told.has(turn.id)) return mine.turns.find(({ id }) => id === turn.id) ?? turn;
    const same = known.get(turn.id);
    return turn.state === 'running' && same && same.state !== 'running' ? same : turn;
  });
  return { ...later, turns };
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
