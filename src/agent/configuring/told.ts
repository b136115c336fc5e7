import { isObject, type Json } from '../../base/json.ts';
import { markText } from '../../calls/external-text/mark.ts';
import type { ChatMessage } from '../../hub/hub.ts';
import { textOf } from '../conversation.ts';
import { configuringLimits } from './limits.ts';
import { readNote, withoutNote } from './notes.ts';
import type { Setup } from './setup.ts';

/**
 * The conversation as a model is told it: the newest messages, each of the person's with its number, so
 * that tools can be given the whole of it, and none with a key. Pictures may show keys and are left out.
 */
export async function toldMessages(setup: Setup): Promise<readonly ChatMessage[]> {
  const { messages } = setup.request;
  let number = 0;
  const numbered = messages.flatMap((message) => {
    if (message.role === 'system') return [];
    if (message.role === 'user') number += 1;
    return [{ message, number }];
  });
  const newest = numbered.slice(-configuringLimits.messagesMax);
  // A result without its call would be refused.
  const from = newest.findIndex(({ message }) => message.role === 'user');
  const told = newest.slice(Math.max(0, from)).map((each) => toldMessage(setup, each));
  const texts = new Set<string>();
  withTexts(told, (text) => {
    texts.add(text);
    return text;
  });
  const hidden = await setup.mask.hideAll([...texts]);
  // The same shape: only texts in it differ.
  return withTexts(told, (text) => hidden.get(text) ?? '') as readonly ChatMessage[];
}

function toldMessage(
  { mask, agent }: Setup,
  { message, number }: { readonly message: ChatMessage; readonly number: number },
): ChatMessage {
  if (message.role === 'user') {
    const text = mask.said(textOf(message));
    const max = configuringLimits.messageCharsMax;
    const shown = text.length > max ? `${text.slice(0, max)}\n[cut here; the tools read all of it]` : text;
    return { role: 'user', content: `(message ${number})\n${shown}` };
  }
  if (readNote(message).plain !== true) return withoutNote(message);
  // What registries and servers wrote stands in it without the marks that a tool's result has.
  const source = { server: 'plug', tool: 'answer', boundary: agent.ids.next('ext') };
  return { role: 'assistant', content: [{ type: 'text', text: markText(textOf(message), source) }] };
}

/** The same JSON with every text in it changed. */
function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: Json) => withTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withTexts(each ?? null, change)]),
  );
}
