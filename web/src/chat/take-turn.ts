import { systemClock } from '../../../src/base/clock.ts';
import { ignore, toPlugError } from '../../../src/base/errors.ts';
import type { ChatEvent, ChatOutcome, Hub } from '../hub/hub-context.tsx';
import { messagesOf, titleFrom, type Conversation, type Said, type Turn } from './conversation.ts';
import { conversations } from './conversations.ts';
import { endedWith, failedWith, stopped } from './end-turn.ts';
import { hearEvent } from './hear-event.ts';
import { pageHostOf } from './page-host.tsx';

export interface TakeTurn {
  readonly hub: Hub;
  readonly conversation: Conversation;
  readonly said: Said;
}

/** Says something and shows what comes of it. It never fails: what went wrong is part of the turn. */
export async function takeTurn({ hub, conversation, said }: TakeTurn): Promise<void> {
  const { id, turns, model } = conversation;
  const turn: Turn = {
    id: crypto.randomUUID(),
    at: Date.now(),
    ...said,
    parts: [],
    state: 'running',
    messages: [],
  };
  const request = {
    run: turn.id,
    messages: messagesOf(turns, said),
    ...(model === undefined ? {} : { model }),
    approval: 'wait',
  } as const;
  const place = { hub, conversationId: id, turnId: turn.id };
  await asTeller(place, async () => {
    conversations.tells(turn.id, true);
    conversations.put({
      ...conversation,
      title: turns.length === 0 && conversation.title === '' ? titleFrom(said.text) : conversation.title,
      changedAt: Date.now(),
      turns: [...turns, turn],
    });
    // A reload from here on finds the turn, and follows it.
    await conversations.flush(id);
    await hear(place, async (given, options) =>
      hub.chat.turn({ ...request, ...(await serversFor(hub, conversation)), ...given }, options),
    );
  });
}

/** Without those that are left out, the hub chooses itself; new servers take part by themselves. */
async function serversFor(
  hub: Hub,
  { servers, off = [] }: Conversation,
): Promise<{ readonly servers?: readonly string[] }> {
  if (servers !== undefined) return { servers };
  if (off.length === 0) return {};
  const all = (await hub.servers.list()).servers.filter(({ enabled }) => enabled);
  return { servers: all.map(({ id }) => id).filter((id) => !off.includes(id)) };
}

/** Keeps following the turns that run in the hub and that no other tab shows this browser; answers how to end. */
export function followTurns(hub: Hub): () => void {
  const look = (): void => {
    if (!conversations.isLoaded()) return;
    for (const { id, turns } of conversations.list()) {
      const last = turns.at(-1);
      if (last?.state !== 'running' || told.has(last.id)) continue;
      const place = { hub, conversationId: id, turnId: last.id };
      ignore(
        asTeller(place, () => followOn(place)),
        'the turn tells what went wrong',
      );
    }
  };
  look();
  return conversations.subscribe(look);
}

/** From any tab, whichever began the turn. */
export async function stopTurn(hub: Hub, turnId: string): Promise<void> {
  try {
    await hub.chat.stop({ run: turnId });
  } catch {
    // The hub is away, or has not heard of the turn yet.
    told.get(turnId)?.abort(new Error('the person stopped it'));
  }
}

interface Place {
  readonly hub: Hub;
  readonly conversationId: string;
  readonly turnId: string;
}

/** The turns that this tab tells of, or will tell of once another tab no longer does. */
const told = new Map<string, AbortController>();

/** One tab at a time hears a turn and keeps what it hears; the others read that. The next one takes over. */
async function asTeller({ conversationId, turnId }: Place, work: () => Promise<void>): Promise<void> {
  told.set(turnId, new AbortController());
  try {
    await navigator.locks.request(`plug.chat.${turnId}`, async () => {
      try {
        await work();
        await conversations.flush(conversationId);
      } finally {
        conversations.tells(turnId, false);
      }
    });
  } finally {
    told.delete(turnId);
  }
}

async function followOn(place: Place): Promise<void> {
  const { hub, conversationId, turnId } = place;
  await conversations.refresh(conversationId);
  const turn = conversations.get(conversationId)?.turns.find(({ id }) => id === turnId);
  if (turn?.state !== 'running') return;
  conversations.tells(turnId, true);
  await hear(place, (given, options) => hub.chat.follow({ run: turnId, ...given }, options), true);
}

type Ask = (
  given: { readonly host?: string },
  options: { readonly signal: AbortSignal; readonly onProgress: (event: ChatEvent) => void },
) => Promise<ChatOutcome>;

/** Until the end of the turn. When the hub cannot be reached, it is followed again from its beginning. */
async function hear(place: Place, ask: Ask, isAgain = false): Promise<void> {
  const { hub, conversationId, turnId } = place;
  const signal = told.get(turnId)?.signal ?? new AbortController().signal;
  const change = (make: (before: Turn) => Turn): void =>
    conversations.changeTurn(conversationId, turnId, make);
  let afresh = isAgain;
  const onProgress = (event: ChatEvent): void => {
    // What is shown stays until the first word of what replaces it.
    change((before) => hearEvent(afresh ? { ...before, parts: [] } : before, event));
    afresh = false;
    if (!conversations.get(conversationId)) ignore(stopTurn(hub, turnId), 'nobody sees the answer');
  };
  try {
    const outcome = await pageHostOf(hub).during((given) => ask(given, { signal, onProgress }));
    change((before) => endedWith(afresh ? { ...before, parts: [] } : before, outcome));
  } catch (error) {
    const view = toPlugError(error).toView();
    if (signal.aborted) {
      ignore(hub.chat.stop({ run: turnId }), 'it may have begun after all');
      return change(stopped);
    }
    const isLost = view.code === 'hub_unavailable' || error instanceof TypeError;
    if (!isLost) return change((before) => failedWith(before, view));
    await ignoring(systemClock.sleep(AGAIN_MS, signal));
    await hear(place, (given, options) => hub.chat.follow({ run: turnId, ...given }, options), true);
  }
}

const AGAIN_MS = 1_000;

async function ignoring(waiting: Promise<void>): Promise<void> {
  try {
    await waiting;
  } catch {
    // Stopped while it waited: the next request says so.
  }
}
