import { PlugError, toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import type {
  ChatMessage,
  ConfiguringOptions,
  ConfiguringOutcome,
  ConfiguringRequest,
  OpenModel,
  SaidWithKey,
} from '../../hub/hub.ts';
import type { Agent } from '../../hub/agent.ts';
import type { AgentParts } from '../parts.ts';
import { understand, type Intent } from './intent.ts';
import { noteOf, openSetup, type Setup } from './setup.ts';
import { answerPlainly } from './plain.ts';
import { withNote } from './state.ts';
import type { Target } from './targets.ts';

export function setupAgent(agent: AgentParts): Agent['configuring'] {
  return { turn: (request, options) => answerTurn(agent, request, options) };
}

async function answerTurn(agent: AgentParts, request: ConfiguringRequest, options: ConfiguringOptions) {
  const setup = await openSetup(agent, request, options);
  if (setup.signal.aborted) return cancelled(setup);
  const intents = await read(setup);
  const said = saidWithKey(setup, intents);
  if (said) setup.tell({ kind: 'said', said });
  const outcome = await answer(setup, intents);
  return said ? { ...outcome, said: { ...said, forget: setup.turn.usedKey } } : outcome;
}

async function answer(setup: Setup, intents: readonly Intent[]): Promise<ConfiguringOutcome> {
  const opened = isForUs(setup, intents) ? ({ kind: 'none' } as const) : await openModel(setup);
  if (opened.kind === 'none') return plainly(setup, intents);
  if (opened.kind === 'failed') return plainly(setup, intents, { failure: opened.error });
  // The model SDK is large: loaded only when there is a model.
  const { answerWithModel } = await import('./with-model.ts');
  setup.turn.asksToRemove = (server) => intents.some((intent) => removes(intent, server));
  const answered = await answerWithModel(setup, opened.model);
  const { error } = answered;
  if (error === undefined || error.code === 'cancelled' || setup.proposals.all.length > 0) return answered;
  const { messages, text, proposals: _none, error: _said, ...rest } = answered;
  const failure = PlugError.fromView(error);
  return { ...(await plainly(setup, intents, { failure, before: { messages, text } })), ...rest };
}

function removes(intent: Intent, server: string): boolean {
  if (intent.kind !== 'remove') return false;
  return intent.targets.some(
    (target) => target.kind === 'all' || (target.kind === 'server' && target.id === server),
  );
}

async function read({ agent, person, state }: Setup): Promise<readonly Intent[]> {
  const { servers } = await agent.hub.servers.list();
  const choices = state.asked.flatMap((asked) => (asked.kind === 'choose' ? asked.choices : []));
  const wantsKey = state.asked.some(
    (asked) =>
      asked.kind === 'key' || (asked.kind === 'install' && asked.missing.some(({ secret }) => secret)),
  );
  return understand(person.text(person.last) ?? '', {
    servers,
    about: state.about,
    wantsKey,
    ...(choices.length > 0 ? { choices } : {}),
  });
}

/**
 * Invariant: what writes is read from the person's own words by our own code, also when there is a model. So an
 * answer to a question, a key, “undo” and “turn off notion” never go through one.
 */
function isForUs({ state }: Setup, intents: readonly Intent[]): boolean {
  return intents.some((intent) => {
    const { kind } = intent;
    if (kind === 'agree' || kind === 'decline') return state.asked.length > 0;
    if (kind === 'choose' || kind === 'choose-none') return true;
    if (kind === 'undo') return state.deeds.length > 0;
    if (kind === 'give-key') return intent.key !== undefined;
    if (kind !== 'enable' && kind !== 'disable') return false;
    return intent.targets.length > 0 && intent.targets.every(isTheirs);
  });
}

function isTheirs({ kind }: Target): boolean {
  return kind === 'server' || kind === 'all';
}

function saidWithKey({ mask, person }: Setup, intents: readonly Intent[]): SaidWithKey | undefined {
  const text = person.text(person.last) ?? '';
  for (const intent of intents)
    if (intent.kind === 'give-key' && intent.key !== undefined) mask.learn(intent.key);
  const shown = mask.said(text);
  return shown === text ? undefined : { shown, forget: false };
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

async function plainly(
  setup: Setup,
  intents: readonly Intent[],
  { failure, before }: Before = {},
): Promise<ConfiguringOutcome> {
  const gap = before === undefined || before.text === '' ? '' : '\n\n';
  const preface =
    failure === undefined ? '' : `${gap}${sentence(failure.message)} I go on without a model.\n\n`;
  if (preface !== '') setup.tell({ kind: 'text', text: preface });
  try {
    const answered = setup.mask.hideSaid(await answerPlainly(setup, intents));
    setup.tell({ kind: 'text', text: answered });
    const text = preface + answered;
    const message: ChatMessage = { role: 'assistant', content: [{ type: 'text', text: text.trimStart() }] };
    return {
      messages: [...(before?.messages ?? []), withNote(message, { ...noteOf(setup), plain: true })],
      text: (before?.text ?? '') + text,
      proposals: setup.proposals.all,
      done: setup.turn.done,
    };
  } catch (thrown) {
    if (setup.signal.aborted) return cancelled(setup, before);
    throw thrown;
  }
}

function cancelled({ proposals, turn }: Setup, before?: Before['before']): ConfiguringOutcome {
  const error = new PlugError('cancelled', 'The answer was cancelled.', { owner: 'you' });
  const { messages, text } = before ?? { messages: [], text: '' };
  return { messages, text, proposals: proposals.all, done: turn.done, error: error.toView() };
}
