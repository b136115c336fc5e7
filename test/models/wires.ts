import type { JsonObject } from '../../src/base/json.ts';
import { argumentPieces, callId, type Answer } from './script.ts';

/** How a provider streams an answer: its events, and how it words a failure. */
export interface Wire {
  readonly events: (answer: Answer, model: string) => readonly WireEvent[];
  readonly failure: (status: number, message: string) => JsonObject;
  /** A failure in the middle of a stream. */
  readonly midway: WireEvent;
}

export interface WireEvent {
  readonly event?: string;
  readonly data: JsonObject | '[DONE]';
  /** Comes after everything that was said: a connection that drops has not sent it. */
  readonly last?: true;
}

/** OpenAI's chat completions, which many others speak. */
export const chatCompletions: Wire = {
  events: ({ reasoning, says, calls, end, usage }, model) => {
    const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const begun = calls.map((call, index) => ({
      data: chunk({
        tool_calls: [
          {
            index,
            id: callId(call, index),
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        ],
      }),
    }));
    // The arguments of parallel calls come interleaved, as some providers send them.
    const pieces = calls.flatMap((call, index) =>
      argumentPieces(call).map((piece, at) => ({
        at,
        data: chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      })),
    );
    const { input, output } = usage;
    const totals = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    return [
      { data: chunk({ role: 'assistant', content: '' }) },
      ...reasoning.map((each) => ({ data: chunk({ reasoning_content: each }) })),
      ...says.map((content) => ({ data: chunk({ content }) })),
      ...begun,
      ...pieces.toSorted((a, b) => a.at - b.at).map(({ data }) => ({ data })),
      { data: chunk({}, CHAT_ENDS[end]), last: true },
      { data: { ...chunk({}), choices: [], usage: totals }, last: true },
      { data: '[DONE]', last: true },
    ];
  },
  failure: (status, message) => ({ error: { message, type: 'scripted', code: String(status) } }),
  midway: { data: { error: { message: 'The engine is overloaded.', type: 'server_error' } } },
};

/** The same without streaming. */
export function chatCompletion({ says, calls, end, usage }: Answer, model: string): JsonObject {
  const tools = calls.map((call, index) => ({
    id: callId(call, index),
    type: 'function',
    function: { name: call.name, arguments: argumentPieces(call).join('') },
  }));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: says.join(''),
          ...(tools.length > 0 ? { tool_calls: tools } : {}),
        },
        finish_reason: CHAT_ENDS[end],
      },
    ],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  };
}

const CHAT_ENDS = { stop: 'stop', length: 'length', calls: 'tool_calls', filter: 'content_filter' } as const;

/** Anthropic's messages. */
export const messages: Wire = {
  events: ({ reasoning, says, calls, end, usage }, model) => {
    const event = (type: string, more: JsonObject): WireEvent => ({ event: type, data: { type, ...more } });
    const block = (
      index: number,
      content: JsonObject,
      deltas: readonly JsonObject[],
    ): readonly WireEvent[] => [
      event('content_block_start', { index, content_block: content }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ];
    const blocks = [
      ...(reasoning.length === 0
        ? []
        : [
            {
              content: { type: 'thinking', thinking: '' },
              deltas: [
                ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
                { type: 'signature_delta', signature: 'c2ln' },
              ],
            },
          ]),
      ...(says.length === 0
        ? []
        : [
            {
              content: { type: 'text', text: '' },
              deltas: says.map((each) => ({ type: 'text_delta', text: each })),
            },
          ]),
      ...calls.map((call, index) => ({
        content: { type: 'tool_use', id: callId(call, index), name: call.name, input: {} },
        deltas: argumentPieces(call).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      })),
    ];
    return [
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          usage: { input_tokens: usage.input, output_tokens: 1 },
        },
      }),
      event('ping', {}),
      ...blocks.flatMap(({ content, deltas }, index) => block(index, content, deltas)),
      {
        ...event('message_delta', {
          delta: { stop_reason: ANTHROPIC_ENDS[end], stop_sequence: null },
          usage: { output_tokens: usage.output },
        }),
        last: true,
      },
      { ...event('message_stop', {}), last: true },
    ];
  },
  failure: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message },
  }),
  midway: {
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
};

const ANTHROPIC_ENDS = {
  stop: 'end_turn',
  length: 'max_tokens',
  calls: 'tool_use',
  filter: 'refusal',
} as const;

/** Google's `streamGenerateContent`. */
export const generateContent: Wire = {
  events: ({ reasoning, says, calls, end, usage }, model) => {
    const chunk = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
      modelVersion: model,
    });
    const { input, output } = usage;
    return [
      ...reasoning.map((each) => ({ data: chunk([{ text: each, thought: true }]) })),
      ...says.map((each) => ({ data: chunk([{ text: each }]) })),
      // A call comes whole; arguments that are no JSON cannot be sent this way.
      ...calls.map(({ name, args = {} }) => ({
        data: chunk([{ functionCall: { name, args: typeof args === 'string' ? {} : args } }]),
      })),
      {
        data: {
          ...chunk([{ text: '' }], { finishReason: GOOGLE_ENDS[end] }),
          usageMetadata: {
            promptTokenCount: input,
            candidatesTokenCount: output,
            totalTokenCount: input + output,
          },
        },
        last: true,
      },
    ];
  },
  failure: (status, message) => ({ error: { code: status, message, status: 'SCRIPTED' } }),
  midway: { data: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } } },
};

const GOOGLE_ENDS = { stop: 'STOP', length: 'MAX_TOKENS', calls: 'STOP', filter: 'SAFETY' } as const;
