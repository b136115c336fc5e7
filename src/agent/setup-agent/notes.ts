import { isObject, type Json } from '../../base/json.ts';
import type { ChatMessage, Proposal } from '../../hub/hub.ts';

/**
 * What the last answer asked. It travels in the conversation, so that “yes” and “the second one” have a
 * meaning.
 */
export interface Note {
  readonly choices?: readonly string[];
  /** The message that was damaged and can be used as corrected. */
  readonly repair?: number;
  readonly card?: boolean;
  /** Answered without a model: may quote servers and registries. */
  readonly plain?: boolean;
}

export function noteIn(messages: readonly ChatMessage[]): Note {
  return readNote(messages.findLast(({ role }) => role === 'assistant'));
}

export function readNote(message: ChatMessage | undefined): Note {
  const options = message?.['providerOptions'];
  const note = isObject(options) ? options[OURS] : undefined;
  if (!isObject(note)) return {};
  const { choices, repair, card, plain } = note;
  return {
    ...(Array.isArray(choices) ? { choices: choices.filter((name: Json) => typeof name === 'string') } : {}),
    ...(typeof repair === 'number' ? { repair } : {}),
    ...(card === true ? { card } : {}),
    ...(plain === true ? { plain } : {}),
  };
}

export function noteOf(proposals: readonly Proposal[], repairedMessage: number | undefined): Note {
  const choices = proposals.flatMap((each) =>
    each.kind === 'choose' ? each.choices.map(({ name }) => name) : [],
  );
  const isRepair = proposals.some(({ kind }) => kind === 'repair');
  const isCard = proposals.some(({ kind }) => kind === 'install' || kind === 'remove' || kind === 'sign-in');
  return {
    ...(choices.length > 0 ? { choices } : {}),
    ...(isRepair && repairedMessage !== undefined ? { repair: repairedMessage } : {}),
    ...(isCard ? { card: true } : {}),
  };
}

export function withNote(message: ChatMessage, note: Note): ChatMessage {
  if (Object.keys(note).length === 0) return message;
  const { providerOptions } = message;
  const others = isObject(providerOptions) ? providerOptions : {};
  return { ...message, providerOptions: { ...others, [OURS]: { ...note } } };
}

/** A model doesn't see our notes; its provider's options stay. */
export function withoutNote(message: ChatMessage): ChatMessage {
  const { providerOptions, ...rest } = message;
  if (!isObject(providerOptions) || !Object.hasOwn(providerOptions, OURS)) return message;
  const { [OURS]: _ours, ...others } = providerOptions;
  return { ...rest, ...(Object.keys(others).length > 0 ? { providerOptions: others } : {}) };
}

const OURS = 'plugboard';
