import { type GetPromptResult, inputRequired } from '@modelcontextprotocol/server';
import { PIXEL_PNG } from './content.ts';
import { answerTo, form } from './questions.ts';
import type { FixturePrompt } from './tool.ts';

type Content = GetPromptResult['messages'][number]['content'];

export const prompts: readonly FixturePrompt[] = [
  {
    definition: { name: 'test_simple_prompt', description: 'Has no arguments.' },
    run: () => says({ type: 'text', text: 'This is a simple prompt for testing.' }),
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'Has two arguments.',
      arguments: [
        { name: 'arg1', description: 'First test argument', required: true },
        { name: 'arg2', description: 'Second test argument', required: true },
      ],
    },
    run: ({ args }) =>
      says({
        type: 'text',
        text: `Prompt with arguments: arg1='${String(args['arg1'])}', arg2='${String(args['arg2'])}'`,
      }),
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'Carries a resource.',
      arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    },
    run: ({ args }) =>
      says(
        {
          type: 'resource',
          resource: {
            uri: String(args['resourceUri']),
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'Carries an image.' },
    run: () =>
      says(
        { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
  {
    definition: { name: 'test_input_required_result_prompt', description: 'Asks before it answers.' },
    run: (asked) => {
      const answer = answerTo(asked, 'user_context');
      if (answer !== undefined) return says({ type: 'text', text: `With the context ${answer}` });
      const question = form('What context should the prompt use?', { context: { type: 'string' } });
      return inputRequired({ inputRequests: { user_context: question } });
    },
  },
];

/** The prompt that `test_trigger_prompt_change` lets come and go. */
export const extraPrompt: FixturePrompt = {
  definition: { name: 'test_extra_prompt', description: 'Comes and goes.' },
  run: () => says({ type: 'text', text: 'still here' }),
};

function says(...contents: readonly Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
