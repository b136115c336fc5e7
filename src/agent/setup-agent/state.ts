import { isObject, type Json } from '../../base/json.ts';
import type { ChatMessage, Deed, Proposal } from '../../hub/hub.ts';

/**
 * What a conversation is about, kept in its own messages: whoever talks holds the conversation, and the hub keeps
 * nothing of it. A model never sees these notes.
 */
export interface ConversationState {
  /** What the person was asked last and has not answered. */
  readonly asked: readonly OpenQuestion[];
  /** The servers spoken of last. */
  readonly about: readonly string[];
  /** What was done here, by turn, the oldest first: what “undo” takes back. */
  readonly deeds: readonly (readonly Deed[])[];
}

/** One open question. “Yes” answers all of one kind. */
export type OpenQuestion =
  | {
      readonly kind: 'install';
      readonly plan: string;
      readonly server: string;
      readonly title: string;
      readonly missing: readonly AskedField[];
      /** Not by a plain “yes”: it has to be looked at first. */
      readonly careful?: true;
      /** It has an address: a key can also be a header. */
      readonly remote?: true;
      /** The number of the message in which the person gave its key already. */
      readonly key?: number;
    }
  /** `careful`: a model proposed it unasked, so a plain “yes” is not enough. */
  | { readonly kind: 'remove'; readonly server: string; readonly careful?: true }
  | { readonly kind: 'switch'; readonly server: string; readonly on: boolean }
  | { readonly kind: 'sign-in'; readonly server: string }
  /** The secret of a server that is there; without a name, its address takes a key. */
  | { readonly kind: 'key'; readonly server: string; readonly secret?: string }
  /** The message that was damaged and can be used as corrected. */
  | { readonly kind: 'repair'; readonly message: number }
  | { readonly kind: 'choose'; readonly choices: readonly string[] };

export interface AskedField {
  readonly id: string;
  readonly label: string;
  readonly secret: boolean;
}

export interface Note {
  readonly asked?: readonly OpenQuestion[];
  readonly about?: readonly string[];
  readonly done?: readonly Deed[];
  /** The newest deeds were taken back. */
  readonly undid?: true;
  /** Answered without a model: may quote servers and registries. */
  readonly plain?: true;
  /** Not an answer: something that a face did, see `FactNote`. */
  readonly fact?: true;
}

export function stateOf(messages: readonly ChatMessage[]): ConversationState {
  let state: ConversationState = { asked: [], about: [], deeds: [] };
  for (const message of messages) {
    const note = message.role === 'assistant' ? readNote(message) : undefined;
    if (note) state = after(state, note);
  }
  return state;
}

function after({ asked, about, deeds }: ConversationState, note: Note): ConversationState {
  const { done = [], undid, fact } = note;
  const kept = undid ? deeds.slice(0, -1) : deeds;
  return {
    asked: fact ? asked.filter((each) => !done.some((deed) => settles(deed, each))) : (note.asked ?? []),
    about: note.about ?? about,
    deeds: done.length > 0 ? [...kept, done] : kept,
  };
}

function settles({ kind, server }: Deed, asked: OpenQuestion): boolean {
  if (!('server' in asked) || asked.server !== server) return false;
  return asked.kind === BY_DEED[kind];
}

const BY_DEED: Readonly<Record<Deed['kind'], OpenQuestion['kind']>> = {
  added: 'install',
  removed: 'remove',
  enabled: 'switch',
  disabled: 'switch',
  'signed-in': 'sign-in',
  key: 'key',
};

/** What a turn leaves open for the next message. */
export function askedBy(
  proposals: readonly Proposal[],
  repaired: number | undefined,
): readonly OpenQuestion[] {
  return proposals.flatMap((proposal): readonly OpenQuestion[] => {
    switch (proposal.kind) {
      case 'install':
        return [askedPlan(proposal)];
      case 'remove':
        return [{ kind: 'remove', server: proposal.server }];
      case 'switch':
        return [{ kind: 'switch', server: proposal.server, on: proposal.on }];
      case 'sign-in':
        return proposal.agreed ? [] : [{ kind: 'sign-in', server: proposal.server }];
      case 'key':
        return [
          {
            kind: 'key',
            server: proposal.server,
            ...(proposal.secret === undefined ? {} : { secret: proposal.secret }),
          },
        ];
      case 'repair':
        return repaired === undefined ? [] : [{ kind: 'repair', message: repaired }];
      case 'choose':
        return [{ kind: 'choose', choices: proposal.choices.map(({ address }) => address) }];
      case 'remedy':
        return [];
      default:
        return proposal satisfies never;
    }
  });
}

function askedPlan({ plan: offered, key }: Extract<Proposal, { readonly kind: 'install' }>): OpenQuestion {
  const { plan, server, view, needs, bundle } = offered;
  const missing = view.form
    .filter(({ id }) => needs.includes(id))
    .map(({ id, label, kind }) => ({ id, label, secret: kind === 'secret' }));
  const isCareful = view.untrusted || view.defaultAnswer === 'no' || bundle;
  return {
    kind: 'install',
    plan,
    server,
    title: view.title,
    missing,
    ...(isCareful ? { careful: true } : {}),
    ...(view.url === undefined ? {} : { remote: true }),
    ...(key === undefined ? {} : { key }),
  };
}

export function readNote(message: ChatMessage | undefined): Note | undefined {
  const options = message?.['providerOptions'];
  const note = isObject(options) ? options[OURS] : undefined;
  // Written by this file; a face hands it back as it was.
  return isObject(note) ? note : undefined;
}

export function withNote(message: ChatMessage, note: Note): ChatMessage {
  const { providerOptions } = message;
  const others = isObject(providerOptions) ? providerOptions : {};
  return { ...message, providerOptions: { ...others, [OURS]: note as unknown as Json } };
}

/** A model neither sees our notes nor writes them; its provider's options stay. */
export function withoutNote(message: ChatMessage): ChatMessage {
  const { providerOptions, ...rest } = message;
  if (!isObject(providerOptions) || !Object.hasOwn(providerOptions, OURS)) return message;
  const { [OURS]: _ours, ...others } = providerOptions;
  return { ...rest, ...(Object.keys(others).length > 0 ? { providerOptions: others } : {}) };
}

const OURS = 'plugboard';
