import type { CallToolResult, ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { type Asked, type FixtureTool, text, tool } from './tool.ts';

const string = { type: 'string' } as const;
const options = ['option1', 'option2', 'option3'];

/**
 * Tools that ask as servers did before 2026, by a request of their own, and hand on the answer. On a
 * modern connection the SDK refuses to send one: whoever wants to be asked comes on a legacy one.
 */
export const formTools: readonly FixtureTool[] = [
  tool(
    'test_sampling',
    "Asks the host's model.",
    async ({ args, ctx }) => {
      const message = {
        role: 'user' as const,
        content: { type: 'text' as const, text: textOf(args['prompt']) },
      };
      const params = { messages: [message], maxTokens: 100 };
      const { content } = await ctx.mcpReq.send({ method: 'sampling/createMessage', params });
      const said = [content].flat().map((each) => (each.type === 'text' ? each.text : ''));
      return text(`LLM response: ${said.join('')}`);
    },
    { prompt: string },
  ),
  tool(
    'test_elicitation',
    'Asks the person for a name and an address.',
    (asked) =>
      elicit(asked, 'User response: <', {
        message: textOf(asked.args['message']),
        requestedSchema: {
          type: 'object',
          properties: { username: string, email: string },
          required: ['username', 'email'],
        },
      }),
    { message: string },
  ),
  tool('test_elicitation_sep1034_defaults', 'Asks with a default in every field.', (asked) =>
    fill(asked, {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  ),
  tool('test_elicitation_sep1330_enums', 'Asks for choices of every kind.', (asked) =>
    fill(asked, {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    }),
  ),
];

function titled(word: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((nth, index) => ({
    const: `value${index + 1}`,
    title: `${nth} ${word}`,
  }));
}

function fill(
  asked: Asked,
  properties: ElicitRequestFormParams['requestedSchema']['properties'],
): Promise<CallToolResult> {
  const requestedSchema = { type: 'object' as const, properties, required: [] };
  return elicit(asked, 'Elicitation completed: ', { message: 'Please fill this in.', requestedSchema });
}

async function elicit(
  { ctx }: Asked,
  words: string,
  params: ElicitRequestFormParams,
): Promise<CallToolResult> {
  const { action, content = {} } = await ctx.mcpReq.send({ method: 'elicitation/create', params });
  return text(`${words}action=${action}, content=${JSON.stringify(content)}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
