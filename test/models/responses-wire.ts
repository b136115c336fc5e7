import type { JsonObject } from '../../src/base/json.ts';
import { argumentPieces, callId, type ScriptedCall } from './script.ts';
import type { Wire, WireEvent } from './wires.ts';

/** OpenAI's responses. */
export const responses: Wire = {
  events: ({ says, calls, end, usage }, model) => {
    const response = { id: 'resp_1', object: 'response', created_at: 1_790_000_000, model };
    const spoken = says.length === 0 ? [] : [message(says)];
    const items = [...spoken, ...calls.map(functionCall)];
    const { input, output } = usage;
    const isCut = end === 'length' || end === 'filter';
    const reason = end === 'length' ? 'max_output_tokens' : 'content_filter';
    const done = isCut ? 'response.incomplete' : 'response.completed';
    return [
      event('response.created', { response: { ...response, status: 'in_progress' } }),
      ...items.flatMap(({ item, pieces, whole }, at) => [
        event('response.output_item.added', { output_index: at, item }),
        ...pieces.map((piece) =>
          event(piece.type, { item_id: item['id'] ?? '', output_index: at, delta: piece.delta }),
        ),
        event('response.output_item.done', { output_index: at, item: whole }),
      ]),
      {
        ...event(done, {
          response: {
            ...response,
            status: isCut ? 'incomplete' : 'completed',
            incomplete_details: isCut ? { reason } : null,
            usage: {
              input_tokens: input,
              input_tokens_details: { cached_tokens: 0 },
              output_tokens: output,
              output_tokens_details: { reasoning_tokens: 0 },
              total_tokens: input + output,
            },
          },
        }),
        last: true,
      },
    ];
  },
  failure: (status, message) => ({
    error: { message, type: 'scripted', param: null, code: String(status) },
  }),
  midway: {
    event: 'error',
    data: { type: 'error', sequence_number: 9, code: 'server_error', message: 'Overloaded', param: null },
  },
};

interface Item {
  readonly item: JsonObject;
  readonly pieces: readonly { readonly type: string; readonly delta: string }[];
  readonly whole: JsonObject;
}

function message(says: readonly string[]): Item {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
  const text = says.join('');
  return {
    item,
    pieces: says.map((delta) => ({ type: 'response.output_text.delta', delta })),
    whole: { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
  };
}

function functionCall(call: ScriptedCall, index: number): Item {
  const id = callId(call, index);
  const item = { type: 'function_call', id: `fc_${index + 1}`, call_id: id, name: call.name, arguments: '' };
  const pieces = argumentPieces(call);
  return {
    item: { ...item, status: 'in_progress' },
    pieces: pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    whole: { ...item, status: 'completed', arguments: pieces.join('') },
  };
}

function event(type: string, more: JsonObject): WireEvent {
  return { event: type, data: { type, ...more } };
}
