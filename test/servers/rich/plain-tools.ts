import { type FixtureTool, numberOf, stringOf, text, tool } from './tool.ts';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

const string = { type: 'string' };
const number = { type: 'number' };

/** A red dot, one pixel wide. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** The header of a WAV file without samples. */
const WAV = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0',
  'latin1',
);

/** Tools that answer at once. */
export const plainTools: readonly FixtureTool[] = [
  tool(
    'echo',
    'Says the message again.',
    { properties: { message: string }, required: ['message'], more: { annotations: { readOnlyHint: true } } },
    ({ args }) => {
      if (typeof args['message'] !== 'string') {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'echo needs a message.');
      }
      return text(args['message']);
    },
  ),
  tool(
    'add',
    'Adds two numbers.',
    {
      properties: { a: number, b: number },
      required: ['a', 'b'],
      more: { annotations: { readOnlyHint: true } },
    },
    ({ args }) => text(String(numberOf(args['a'], 0) + numberOf(args['b'], 0))),
  ),
  tool('env', "Shows the server's environment.", {}, () => text(JSON.stringify(process.env))),
  tool('cwd', "Shows the server's folder.", {}, () => text(process.cwd())),
  tool('pid', "Shows the server's process id.", {}, () => text(String(process.pid))),
  tool('image', 'Answers with a picture.', {}, () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  })),
  tool('audio', 'Answers with a sound.', {}, () => ({
    content: [{ type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' }],
  })),
  tool('resource', 'Answers with an embedded resource.', {}, () => ({
    content: [
      { type: 'resource', resource: { uri: 'test://static', mimeType: 'text/plain', text: 'static text' } },
    ],
  })),
  tool('resource_link', 'Answers with a link to a resource.', {}, () => ({
    content: [{ type: 'resource_link', uri: 'test://static', name: 'static', mimeType: 'text/plain' }],
  })),
  tool(
    'structured',
    'Answers with structured content.',
    {
      properties: { city: string },
      more: {
        outputSchema: {
          type: 'object',
          properties: { city: string, degrees: number },
          required: ['city', 'degrees'],
        },
      },
    },
    ({ args }) => {
      const structuredContent = { city: stringOf(args['city'], 'Berlin'), degrees: 21.5 };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  ),
  tool('fail', 'Always fails.', { more: { annotations: { destructiveHint: true } } }, () => ({
    content: [{ type: 'text', text: 'It failed, as it always does.' }],
    isError: true,
  })),
  tool('refuse', 'Always answers with a JSON-RPC error.', {}, () => {
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'refused on purpose', { reason: 'purpose' });
  }),
  tool('big', 'Answers with a text of the given size.', { properties: { bytes: number } }, ({ args }) =>
    text('x'.repeat(numberOf(args['bytes'], 1024))),
  ),
  tool(
    'unknown',
    'Uses words that no MCP version knows.',
    {
      more: {
        'x-vendor': { nested: [1, 'two'] },
        annotations: { readOnlyHint: true, 'x-hint': 'kept' },
        icons: [{ src: 'data:image/png;base64,AA==', 'x-icon': true }],
      },
    },
    () => ({
      content: [
        { type: 'video', uri: 'test://video', mimeType: 'video/mp4', 'x-frames': 3 },
        { type: 'text', text: 'beside a video', 'x-mark': 'kept' },
      ],
      'x-result': { kept: true },
      _meta: { 'example.com/mark': 'kept' },
    }),
  ),
];
