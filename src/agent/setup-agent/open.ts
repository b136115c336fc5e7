import { PlugError, toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import type {
  ChatMessage,
  ConfiguringOptions,
  ConfiguringOutcome,
  ConfiguringRequest,
  OpenModel,
} from '../../hub/hub.ts';
import type { Agent } from '../../hub/agent.ts';
import type { AgentParts } from '../parts.ts';
import { noteOf, openSetup, type Setup, withNote } from './setup.ts';
import { answerPlainly } from './plain.ts';

export function setupAgent(agent: AgentParts): Agent['configuring'] {
  return { turn: (request, options) => answerTurn(agent, request, options) };
}

async function answerTurn(agent: AgentParts, request: ConfiguringRequest, options: ConfiguringOptions) {
  const setup = await openSetup(agent, request, options);
  if (setup.signal.aborted) return cancelled(setup);
  const opened = await openModel(setup);
  if (opened.kind === 'none') return plainly(setup);
  if (opened.kind === 'failed') return plainly(setup, { failure: opened.error });
  // The model SDK is large: loaded only when there is a model.
  const { answerWithModel } = await import('./with-model.ts');
  const answered = await answerWithModel(setup, opened.model);
  const { error } = answered;
  if (error === undefined || error.code === 'cancelled' || setup.proposals.all.length > 0) return answered;
  const { messages, text, proposals: _none, error: _said, ...rest } = answered;
  const plain = await plainly(setup, { failure: PlugError.fromView(error), before: { messages, text } });
  return { ...plain, ...rest };
}

type Opened =
  | { readonly kind: 'model'; readonly model: OpenModel }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly error: PlugError };

async function openModel({ agent, request }: Setup): Promise<Opened> {
  const { model: name } = request;
  if (name === 'none') return { kind: 'none' };
  try {
    return { kind: 'model', model: await agent.hub.models.open(name === undefined ? {} : { name }) };
  } catch (thrown) {
    const error = toPlugError(thrown);
    // No model set up is not a failure.
    const isNone = name === undefined && error.details?.['missing'] === 'model';
    return isNone ? { kind: 'none' } : { kind: 'failed', error };
  }
}

interface Before {
  readonly failure?: PlugError;
  readonly before?: Pick<ConfiguringOutcome, 'messages' | 'text'>;
}

async function plainly(setup: Setup, { failure, before }: Before = {}): Promise<ConfiguringOutcome> {
  const gap = before === undefined || before.text === '' ? '' : '\n\n';
  const preface =
    failure === undefined ? '' : `${gap}${sentence(failure.message)} I go on without a model.\n\n`;
  if (preface !== '') setup.tell({ kind: 'text', text: preface });
  try {
    const answer = setup.mask.hideSaid(await answerPlainly(setup));
    setup.tell({ kind: 'text', text: answer });
    const text = preface + answer;
    const { all, repaired } = setup.proposals;
    const message: ChatMessage = { role: 'assistant', content: [{ type: 'text', text: text.trimStart() }] };
    return {
      messages: [...(before?.messages ?? []), withNote(message, { ...noteOf(all, repaired), plain: true })],
      text: (before?.text ?? '') + text,
      proposals: all,
    };
  } catch (thrown) {
    if (setup.signal.aborted) return cancelled(setup, before);
    throw thrown;
  }
}

function cancelled({ proposals }: Setup, before?: Before['before']): ConfiguringOutcome {
  const error = new PlugError('cancelled', 'The answer was cancelled.', { owner: 'you' });
  const { messages, text } = before ?? { messages: [], text: '' };
  return { messages, text, proposals: proposals.all, error: error.toView() };
}
