import {
  type CallToolResult,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { answerTo, form, model, states } from './questions.ts';
import { type Asked, capabilitiesOf, type FixtureTool, text, tool } from './tool.ts';

const string = { type: 'string' } as const;
const boolean = { type: 'boolean' } as const;
const askName = form('What is your name?', { name: string });

/**
 * Tools that need something from the host before they can answer. They say so by `input_required`;
 * on a legacy connection the SDK turns each question into a request of its own and calls again.
 */
export const askingTools: readonly FixtureTool[] = [
  asking('elicitation', { user_name: askName }),
  asking('sampling', { capital_question: model('What is the capital of France?', 100) }),
  asking('list_roots', { client_roots: inputRequired.listRoots() }),
  asking('request_state', { confirm: form('Please confirm', { ok: boolean }) }, 'with state'),
  asking('tampered_state', { confirm: form('Please confirm', { ok: boolean }) }, 'with state'),
  asking(
    'multiple_inputs',
    {
      user_name: askName,
      greeting: model('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    'with state',
  ),
  tool('test_input_required_result_multi_round', 'Asks twice.', askTwice),
  tool('test_input_required_result_capabilities', 'Asks only what the host can answer.', (asked) => {
    const can = capabilitiesOf(asked);
    return ask(asked, {
      ...(can.elicitation ? { user_name: askName } : {}),
      ...(can.sampling ? { greeting: model('Generate a greeting', 50) } : {}),
      ...(can.roots ? { client_roots: inputRequired.listRoots() } : {}),
    });
  }),
];

type Questions = Readonly<Record<string, InputRequest>>;

function asking(short: string, questions: Questions, state?: 'with state'): FixtureTool {
  const name = `test_input_required_result_${short}`;
  const description = `Asks the host for ${Object.keys(questions).join(', ')}.`;
  return tool(name, description, (asked) => ask(asked, questions, state && name));
}

/** What is not answered is asked, again and again; extra answers are not looked at. */
async function ask(
  asked: Asked,
  questions: Questions,
  stateOf?: string,
): Promise<CallToolResult | InputRequiredResult> {
  const { ctx } = asked;
  const open = Object.entries(questions).filter(([key]) => answerTo(asked, key) === undefined);
  const isKnown = stateOf === undefined || isStateOf(asked, stateOf, 1);
  if (open.length > 0 || !isKnown) {
    return inputRequired({
      inputRequests: open.length > 0 ? Object.fromEntries(open) : { ...questions },
      ...(stateOf === undefined ? {} : { requestState: await states.mint({ of: stateOf, round: 1 }, ctx) }),
    });
  }
  const answers = Object.keys(questions).map((key) => answerTo(asked, key));
  return text(`${stateOf === undefined ? '' : 'state-ok '}${answers.join(' ')}`);
}

async function askTwice(asked: Asked): Promise<CallToolResult | InputRequiredResult> {
  const of = 'test_input_required_result_multi_round';
  const { ctx } = asked;
  if (isStateOf(asked, of, 2) && answerTo(asked, 'step2') !== undefined) return text('Both were answered.');
  if (isStateOf(asked, of, 1) && answerTo(asked, 'step1') !== undefined) {
    const step2 = form('Step 2: What is your favorite color?', { color: string });
    return inputRequired({
      inputRequests: { step2 },
      requestState: await states.mint({ of, round: 2 }, ctx),
    });
  }
  const step1 = form('Step 1: What is your name?', { name: string });
  return inputRequired({ inputRequests: { step1 }, requestState: await states.mint({ of, round: 1 }, ctx) });
}

/** The SDK has checked the signature. */
function isStateOf({ ctx }: Asked, of: string, round: number): boolean {
  const state = ctx.mcpReq.requestState<{ of: string; round: number }>();
  return state?.of === of && state.round === round;
}
