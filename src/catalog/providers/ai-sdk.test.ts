import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { JsonObject } from '../../base/json.ts';
import { modelOutput } from './ai-sdk-output.ts';
import { aiSdkTools } from './ai-sdk.ts';
import { fieldName } from './field-names.ts';
import type { ShownTool } from './shown-tool.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
} as const;

const weather: ShownTool = {
  tool: { ref: 'weather/now', definition: { name: 'now' } },
  schema: { type: 'object', properties: { 'city[name]': { type: 'string' } }, required: ['city[name]'] },
  name: 'weather.now',
  description: 'Tells the weather.',
};

verifies(
  ['T8'],
  'the AI SDK runs our tools: the model calls, the call is made, the model reads the result',
  async () => {
    const calls: { ref: string; args: JsonObject; toolCallId: string }[] = [];
    const tools = await aiSdkTools([weather], (ref, args, { toolCallId }) => {
      calls.push({ ref, args, toolCallId });
      return Promise.resolve({ content: [{ type: 'text', text: '21 degrees' }] });
    });
    const [name] = Object.keys(tools);
    expect(name).toMatch(/^weather_now_[0-9a-f]{8}$/);
    const model = new MockLanguageModelV4({
      doGenerate: [
        {
          content: [
            {
              type: 'tool-call',
              toolCallId: 'c1',
              toolName: name ?? '',
              input: JSON.stringify({ [fieldName('city[name]')]: 'Oslo' }),
            },
          ],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: 'text', text: 'It is 21 degrees.' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage,
          warnings: [],
        },
      ],
    });
    const { text } = await generateText({
      model,
      tools,
      prompt: 'Weather in Oslo?',
      stopWhen: stepCountIs(3),
    });
    expect(text).toBe('It is 21 degrees.');
    expect(calls).toEqual([{ ref: 'weather/now', args: { 'city[name]': 'Oslo' }, toolCallId: 'c1' }]);
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      {
        type: 'function',
        name,
        description: 'Tells the weather.',
        inputSchema: { required: [fieldName('city[name]')] },
      },
    ]);
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain(
      '"output":{"type":"text","value":"21 degrees"}',
    );
  },
);

test('a result that failed is told as an error, and a picture as a file', () => {
  expect(modelOutput({ isError: true, content: [{ type: 'text', text: 'no' }] })).toEqual({
    type: 'error-text',
    value: 'no',
  });
  expect(
    modelOutput({
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
    }),
  ).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'a' },
      { type: 'file', data: { type: 'data', data: 'AA==' }, mediaType: 'image/png' },
    ],
  });
  expect(modelOutput({ content: [{ type: 'resource_link', uri: 'a:b' }] })).toEqual({
    type: 'text',
    value: '{"type":"resource_link","uri":"a:b"}',
  });
});
