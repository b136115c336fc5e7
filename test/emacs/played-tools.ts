import type { JsonObject } from '../../src/base/json.ts';
import { reading, writing, type PlayedTool } from '../scenarios/calls-played.ts';

export const text: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
};

const form: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    deep: { type: 'object', properties: { list: { type: 'array' } } },
    done: { type: 'boolean' },
  },
  required: ['title', 'tags', 'deep'],
};

const unknown = (name: string): PlayedTool => ({ name, description: 'Does it.', inputSchema: text });

/** A server of every kind of tool: that read, that write, and of which nothing is known. */
export const notes: readonly PlayedTool[] = [
  { ...reading('get_note', { text: 'the note' }), inputSchema: text },
  { ...writing('create_note', { text: 'created' }), inputSchema: text },
  { ...writing('send_note'), inputSchema: text },
  { ...writing('save_note'), inputSchema: text },
  { ...writing('save_form'), inputSchema: form },
  unknown('frob_note'),
  unknown('odd_note'),
  unknown('old_note'),
];

export const many: readonly PlayedTool[] = Array.from({ length: 500 }, (_, index) => ({
  ...reading(`get_item_${index}`),
  description: `Gets item ${index}, with a description about as long as those of real servers are.`,
  inputSchema: form,
}));
