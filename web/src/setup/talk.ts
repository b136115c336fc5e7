import { useSyncExternalStore } from 'react';
import { toPlugError } from '../../../src/base/errors.ts';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { HIDDEN } from '../../../src/base/secret-names.ts';
import { secretsInText } from '../../../src/base/secrets-in-text.ts';
import type { ChatMessage, Deed, FactNote, Hub, Proposal, SaidWithKey } from '../hub/hub-context.tsx';
import type { Answer, Entry, Part } from './entries.ts';
import { hearEvent } from './hear-event.ts';

/**
 * The one conversation about setting up. It lives as long as the tab and is written down nowhere:
 * somebody may have pasted a key into it.
 */
interface Talk {
  readonly entries: readonly Entry[];
  /** As the hub wants it back with the next turn. */
  readonly messages: readonly ChatMessage[];
  readonly draft: string;
  /** Our name for a model, `none`, or nothing: the default one. */
  readonly model: string | undefined;
}

const EMPTY: Talk = { entries: [], messages: [], draft: '', model: undefined };

let talk = EMPTY;
let running: AbortController | undefined;
const listeners = new Set<() => void>();

export function useTalk(): Talk {
  return useSyncExternalStore(listen, () => talk);
}

export function setDraft(draft: string): void {
  change({ draft });
}

export function setModel(model: string | undefined): void {
  change({ model });
}

export function beginAnew(): void {
  running?.abort();
  change({ ...EMPTY, model: talk.model });
}

export function stopTalking(): void {
  running?.abort();
}

/** Something happened that the other side should know with the next turn. Others' words may stand in it. */
export function addFact(text: string, done: Deed): void {
  const note: FactNote = { plain: true, fact: true, done: [done], about: [done.server] };
  change({
    entries: [...talk.entries, { kind: 'fact', id: crypto.randomUUID(), text }],
    messages: [
      ...talk.messages,
      {
        role: 'assistant',
        content: [{ type: 'text', text }],
        providerOptions: { plugboard: note as unknown as JsonObject },
      },
    ],
  });
}

type Card = Extract<Part, { readonly kind: 'proposal' }>;

/** A proposal was answered: it is not asked again. */
export function settle(id: string, as: string): void {
  changeCards((card) => (card.id === id ? { ...card, settled: as } : card));
}

/** “Yes” was said to a card. */
function settleSaid(deeds: readonly Deed[]): void {
  changeCards((card) => {
    const deed = deeds.find((each) => isDone(each, card.proposal));
    return deed === undefined || card.settled !== undefined
      ? card
      : { ...card, settled: FACTS[deed.kind](deed.server), bySaying: true };
  });
}

function isDone({ kind, server }: Deed, proposal: Proposal): boolean {
  if (proposal.kind === 'install') return kind === 'added' && proposal.plan.server === server;
  if (proposal.kind === 'switch')
    return kind === (proposal.on ? 'enabled' : 'disabled') && proposal.server === server;
  return (
    (proposal.kind === 'remove' || proposal.kind === 'key') &&
    kind === (proposal.kind === 'remove' ? 'removed' : 'key') &&
    proposal.server === server
  );
}

const FACTS: Readonly<Record<Deed['kind'], (server: string) => string>> = {
  added: (server) => `${server} is added.`,
  removed: (server) => `${server} is removed.`,
  enabled: (server) => `${server} is on.`,
  disabled: (server) => `${server} is off.`,
  'signed-in': (server) => `You are signed in to ${server}.`,
  key: (server) => `The key of ${server} is in the vault.`,
};

function changeCards(make: (card: Card) => Card): void {
  change({
    entries: talk.entries.map((entry) =>
      entry.kind === 'answer'
        ? { ...entry, parts: entry.parts.map((part) => (part.kind === 'proposal' ? make(part) : part)) }
        : entry,
    ),
  });
}

/** Shows what was said without its key; a key that was used is not kept either. */
function hide(id: string, { shown, forget }: SaidWithKey): void {
  change({
    entries: talk.entries.map((entry) =>
      entry.kind === 'said' && entry.id === id ? { ...entry, text: shown, hasKey: true } : entry,
    ),
  });
  if (!forget) return;
  const last = talk.messages.findLastIndex(({ role }) => role === 'user');
  change({
    messages: talk.messages.map((message, index) =>
      index === last ? { role: 'user', content: shown } : message,
    ),
  });
}

/** Says something and shows what comes of it. It never fails: what went wrong is part of the answer. */
export async function say(hub: Hub, text: string): Promise<void> {
  if (running !== undefined || text.trim() === '') return;
  const stop = new AbortController();
  running = stop;
  const id = crypto.randomUUID();
  const saidId = crypto.randomUUID();
  const messages: readonly ChatMessage[] = [...talk.messages, { role: 'user', content: text }];
  change({
    draft: '',
    messages,
    entries: [
      ...talk.entries,
      // What looks like a key is never shown, not even until the hub says what is one.
      { kind: 'said', id: saidId, ...withoutKeys(text) },
      { kind: 'answer', id, parts: [], state: 'running' },
    ],
  });
  try {
    const { model } = talk;
    const outcome = await hub.configuring.turn(
      { messages, ...(model === undefined ? {} : { model }) },
      {
        signal: stop.signal,
        onProgress: (event) => {
          if (event.kind === 'said') hide(saidId, event.said);
          else answer(id, (now) => ({ ...now, parts: hearEvent(now.parts, event) }));
        },
      },
    );
    const { error, said, done } = outcome;
    if (has(id)) {
      if (said) hide(saidId, said);
      change({ messages: [...talk.messages, ...outcome.messages] });
      settleSaid(done);
    }
    answer(id, (now) => ({
      ...now,
      state: error?.code === 'cancelled' ? 'stopped' : 'done',
      ...(outcome.model === undefined || isPlain(outcome.messages) ? {} : { model: outcome.model }),
      ...(error === undefined || error.code === 'cancelled' ? {} : { error }),
    }));
  } catch (error) {
    answer(id, (now) =>
      stop.signal.aborted
        ? { ...now, state: 'stopped' }
        : { ...now, state: 'done', error: toPlugError(error).toView() },
    );
  } finally {
    if (running === stop) running = undefined;
    change({});
  }
}

function withoutKeys(text: string): { readonly text: string; readonly hasKey: boolean } {
  const shown = secretsInText(text).reduce((sum, key) => sum.replaceAll(key, () => HIDDEN), text);
  return { text: shown, hasKey: shown !== text };
}

/** Whether the last word was ours: a model that fails in the midst is replaced by our own rules. */
function isPlain(messages: readonly ChatMessage[]): boolean {
  const options = messages.at(-1)?.['providerOptions'];
  const ours = isObject(options) ? options['plugboard'] : undefined;
  return isObject(ours) && ours['plain'] === true;
}

function has(id: string): boolean {
  return talk.entries.some((entry) => entry.id === id);
}

function answer(id: string, make: (now: Answer) => Answer): void {
  change({
    entries: talk.entries.map((entry) => (entry.kind === 'answer' && entry.id === id ? make(entry) : entry)),
  });
}

function change(next: Partial<Talk>): void {
  talk = { ...talk, ...next };
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
