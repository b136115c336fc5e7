import { PlugError } from '../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { estimateTokens } from '../catalog/tokens/estimate-tokens.ts';
import type { ChatMessage } from '../hub/hub.ts';

/** Without system messages, and with a result for every call. */
export function readConversation(messages: readonly ChatMessage[]): {
  readonly messages: readonly ChatMessage[];
  /** Text of system messages: some providers take it only as instructions. */
  readonly instructions: readonly string[];
} {
  if (messages.at(-1)?.role !== 'user') {
    const message = 'The last message of a conversation has to be the person’s.';
    throw new PlugError('usage', message, { owner: 'you' });
  }
  const instructions = messages.filter(({ role }) => role === 'system').map(messageText);
  const said = messages.filter(({ role }) => role !== 'system');
  return { messages: withResults(said), instructions: instructions.filter((text) => text !== '') };
}

export function messageText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return partsOf(content)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}

export function callsIn(
  messages: readonly ChatMessage[],
): readonly { readonly id: string; readonly name: string; readonly args: JsonObject }[] {
  return messages.flatMap(({ role, content }) =>
    role !== 'assistant'
      ? []
      : partsOf(content).flatMap(({ type, toolCallId, toolName, input }) =>
          type === 'tool-call' && typeof toolCallId === 'string' && typeof toolName === 'string'
            ? [{ id: toolCallId, name: toolName, args: isObject(input) ? input : {} }]
            : [],
        ),
  );
}

/** A provider refuses a call without a result. */
export function cancelledResult(call: { readonly id: string; readonly name: string }): JsonObject {
  const output = { type: 'error-text', value: 'This call was cancelled before it had a result.' };
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}

/** The end of the conversation may be lost: calls without a result get one. */
function withResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.flatMap((message, index) => {
    const wanted = callsIn([message]);
    if (wanted.length === 0) return [message];
    const next = messages[index + 1];
    const results = next?.role === 'tool' ? partsOf(next.content) : [];
    const answered = new Set(results.map(({ toolCallId }) => toolCallId));
    const missing = wanted.filter(({ id }) => !answered.has(id));
    return missing.length === 0
      ? [message]
      : [message, { role: 'tool', content: missing.map(cancelledResult) }];
  });
}

/** Removes the oldest results, about half of their size; undefined when there are none. */
export function shortened(messages: readonly ChatMessage[]): readonly ChatMessage[] | undefined {
  const sizes = messages.flatMap(({ role, content }) =>
    role === 'tool' ? partsOf(content).map(sizeOf) : [],
  );
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let removed = 0;
  const shorter = messages.map((message) => {
    if (message.role !== 'tool' || removed * 2 > whole) return message;
    const content = partsOf(message.content).map((part) => {
      const size = sizeOf(part);
      if (size === 0 || removed * 2 > whole) return part;
      removed += size;
      return { ...part, output: { type: 'text', value: placeholder(part) } };
    });
    return { ...message, content };
  });
  return removed === 0 ? undefined : shorter;
}

export function isTooLong(messages: readonly ChatMessage[], tokensMax: number): boolean {
  let pictures = 0;
  const text = JSON.stringify(messages, (key, value: unknown) => {
    if (key !== 'image') return value;
    pictures += 1;
    return '';
  });
  return estimateTokens(text) + pictures * PICTURE_TOKENS > tokensMax;
}

/** About what providers count for one of a person's, whatever its bytes. */
const PICTURE_TOKENS = 1_600;

const TAKEN_OUT = '[This earlier result was taken out to make room.';

function sizeOf({ output }: JsonObject): number {
  const text = JSON.stringify(output ?? '');
  return text.length < SMALL_CHARS || text.includes(TAKEN_OUT) ? 0 : text.length;
}

const SMALL_CHARS = 400;

function placeholder({ output }: JsonObject): string {
  const [id] = /result_[0-9a-f]+/.exec(JSON.stringify(output ?? '')) ?? [];
  return id === undefined
    ? `${TAKEN_OUT} Call the tool again if it is needed.]`
    : `${TAKEN_OUT} It is kept as ${id}: read it with plug__read_result.]`;
}

function partsOf(content: Json | undefined): readonly JsonObject[] {
  return Array.isArray(content) ? content.filter((part: Json): part is JsonObject => isObject(part)) : [];
}
