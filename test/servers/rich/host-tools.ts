import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  inputRequired,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';
import { type FixtureTool, type Obj, stringOf, text, tool, type ToolCall } from './tool.ts';

const form = {
  mode: 'form' as const,
  message: 'What is your name?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const, title: 'Name' } },
    required: ['name'],
  },
};
const visit = { mode: 'url' as const, message: 'Please open this page.', url: 'https://example.com/consent' };
const prompt = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Say hello.' } }],
  maxTokens: 50,
};

/** Tools that need something from the host: each shows the host's answer as JSON text. */
export const hostTools: readonly FixtureTool[] = [
  tool('ask', 'Asks the person for a name.', {}, (call) =>
    ask(call, {
      needs: { elicitation: { form: {} } },
      modern: () => inputRequired.elicit(form),
      legacy: (options) => call.ctx.mcpReq.elicitInput(form, options),
    }),
  ),
  tool('ask-url', 'Asks the person to open a page.', {}, (call) =>
    ask(call, {
      needs: { elicitation: { url: {} } },
      modern: () => inputRequired.elicitUrl(visit),
      legacy: async (options) => {
        const elicitationId = `elicitation-${String(call.ctx.mcpReq.id)}`;
        const answer = await call.ctx.mcpReq.elicitInput({ ...visit, elicitationId }, options);
        await call.server.createElicitationCompletionNotifier(elicitationId, options)();
        return answer;
      },
    }),
  ),
  tool('sample', "Asks the host's model to say hello.", {}, (call) =>
    ask(call, {
      needs: { sampling: {} },
      modern: () => inputRequired.createMessage(prompt),
      legacy: (options) => call.ctx.mcpReq.requestSampling(prompt, options),
    }),
  ),
  tool('roots', "Shows the host's roots.", {}, (call) =>
    ask(call, {
      needs: { roots: {} },
      modern: () => inputRequired.listRoots(),
      legacy: (options) => call.server.listRoots(undefined, options),
    }),
  ),
];

interface Question {
  readonly needs: ClientCapabilities;
  readonly modern: () => InputRequest;
  readonly legacy: (options: { relatedRequestId?: string | number }) => Promise<unknown>;
}

async function ask(call: ToolCall, question: Question): Promise<Obj> {
  if (call.era === 'modern') return askByResult(call, question);
  const related = call.world.asksBesideCall ? {} : { relatedRequestId: call.ctx.mcpReq.id };
  try {
    return text(JSON.stringify(await question.legacy(related)));
  } catch (error) {
    return { ...text(error instanceof Error ? error.message : String(error)), isError: true };
  }
}

/** Modern servers ask by answering `input_required`; the host calls again with the answer. */
function askByResult(call: ToolCall, question: Question): Obj {
  const state = `state of ${stringOf(call.args['mark'], 'the call')}`;
  const answer = call.ctx.mcpReq.inputResponses?.['answer'];
  if (answer !== undefined) {
    if (call.ctx.mcpReq.requestState() !== state) {
      return { ...text('The request state was not sent back as it was.'), isError: true };
    }
    return text(JSON.stringify(answer));
  }
  if (!offers(call, question.needs)) {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: question.needs });
  }
  return { ...inputRequired({ inputRequests: { answer: question.modern() }, requestState: state }) };
}

function offers(call: ToolCall, needs: ClientCapabilities): boolean {
  // The envelope's type does not name its keys; the SDK has checked this one.
  const envelope: Obj = { ...call.ctx.mcpReq.envelope };
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities;
  return Object.keys(needs).every((kind) => kind in offered);
}
