import { PIXEL_PNG, SILENCE_WAV } from './content.ts';
import { type FixtureTool, text, tool } from './tool.ts';

const image = { type: 'image' as const, data: PIXEL_PNG, mimeType: 'image/png' };

/** Tools that only answer. */
export const plainTools: readonly FixtureTool[] = [
  tool('test_simple_text', 'Answers with a text.', () => text('This is a simple text response for testing.')),
  tool('test_image_content', 'Answers with an image.', () => ({ content: [image] })),
  tool('test_audio_content', 'Answers with a sound.', () => ({
    content: [{ type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Answers with an embedded resource.', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', 'Answers with a text, an image and a resource.', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  tool('test_error_handling', 'Always fails.', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  {
    definition: {
      name: 'json_schema_2020_12_tool',
      description: 'Has a schema with the words of JSON Schema 2020-12.',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema.
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
    },
    run: ({ args }) => text(JSON.stringify(args)),
  },
];

/** The tool that `test_trigger_tool_change` lets come and go. */
export const extraTool: FixtureTool = tool('test_extra', 'Comes and goes.', () => text('still here'));
