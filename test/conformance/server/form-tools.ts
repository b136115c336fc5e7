import {
  type CallToolResult,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequest,
  type InputRequiredResult,
  inputResponse,
} from '@modelcontextprotocol/server';
import { form, model } from './questions.ts';
import { type Asked, type FixtureTool, text, tool } from './tool.ts';

const string = { type: 'string' } as const;
const options = ['option1', 'option2', 'option3'];

/** Tools that hand on what the person or the model said. */
export const formTools: readonly FixtureTool[] = [
  tool(
    'test_sampling',
    "Asks the host's model.",
    (asked) => {
      const view = inputResponse(asked.ctx.mcpReq.inputResponses, 'answer');
      if (view.kind !== 'sampling') return once(model(textOf(asked.args['prompt']), 100));
      const content = [view.result.content].flat().map((each) => (each.type === 'text' ? each.text : ''));
      return text(`LLM response: ${content.join('')}`);
    },
    { prompt: string },
  ),
  tool(
    'test_elicitation',
    'Asks the person for a name and an address.',
    (asked) =>
      fill(asked, 'User response: <', () =>
        form(textOf(asked.args['message']), { username: string, email: string }),
      ),
    { message: string },
  ),
  tool('test_elicitation_sep1034_defaults', 'Asks with a default in every field.', (asked) =>
    fill(asked, 'Elicitation completed: ', () =>
      elicit({
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    ),
  ),
  tool('test_elicitation_sep1330_enums', 'Asks for choices of every kind.', (asked) =>
    fill(asked, 'Elicitation completed: ', () =>
      elicit({
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
  ),
];

function titled(word: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((nth, index) => ({
    const: `value${index + 1}`,
    title: `${nth} ${word}`,
  }));
}

function elicit(properties: ElicitRequestFormParams['requestedSchema']['properties']): InputRequest {
  return inputRequired.elicit({
    message: 'Please fill this in.',
    requestedSchema: { type: 'object', properties, required: [] },
  });
}

function fill(
  asked: Asked,
  words: string,
  question: () => InputRequest,
): CallToolResult | InputRequiredResult {
  const view = inputResponse(asked.ctx.mcpReq.inputResponses, 'answer');
  if (view.kind !== 'elicit') return once(question());
  return text(`${words}action=${view.action}, content=${JSON.stringify(view.content ?? {})}`);
}

function once(answer: InputRequest): InputRequiredResult {
  return inputRequired({ inputRequests: { answer } });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
