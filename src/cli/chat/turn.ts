import { defined } from '../../base/defined.ts';
import { toPlugError, type ErrorView } from '../../base/errors.ts';
import type { ChatEvent, ChatOutcome, ChatUsage } from '../../hub/hub.ts';
import { WARNING, faint } from '../output.ts';
import { renderError } from '../render/error.ts';
import type { HubSession } from '../session.ts';
import type { ShownCall } from './call-row.ts';
import type { Conversation } from './conversation.ts';
import { chatLimits } from './limits.ts';
import { personSays } from './person-says.ts';
import type { Questions } from './questions.ts';
import { Screen } from './screen.ts';

export interface TurnOptions {
  readonly session: HubSession;
  readonly conversation: Conversation;
  readonly text: string;
  readonly host?: string;
  readonly signal: AbortSignal;
  /** Absent without a terminal: calls that need an approval are refused. */
  readonly questions?: Questions;
}

export interface TurnEnd {
  readonly kind: 'done' | 'stopped' | 'failed';
  readonly text: string;
  readonly usage: ChatUsage;
  readonly calls: readonly ShownCall[];
  readonly refused: readonly ErrorView[];
  readonly error?: ErrorView;
}

export async function takeTurn(options: TurnOptions): Promise<TurnEnd> {
  const { session, conversation, questions } = options;
  using screen = new Screen(session, conversation.choices);
  questions?.showOn(screen);
  const turn = new Turn(options, screen);
  screen.status(thinking(options));
  try {
    return turn.keep(await askHub(options, turn));
  } catch (error) {
    return turn.fail(toPlugError(error).toView());
  } finally {
    questions?.showOn(undefined);
  }
}

async function askHub(options: TurnOptions, turn: Turn): Promise<ChatOutcome> {
  const { session, conversation, text, host, signal, questions } = options;
  try {
    return await session.hub.chat.turn(
      { ...conversation.requestFor(text), ...defined({ host }), approval: questions ? 'wait' : 'refuse' },
      { signal, onProgress: (event) => turn.hear(event) },
    );
  } finally {
    await turn.over();
  }
}

function thinking({ conversation }: TurnOptions): string {
  return `${conversation.choices.model ?? 'The model'} is thinking … Ctrl-C stops it.`;
}

const NOTHING: ChatUsage = { inputTokens: 0, outputTokens: 0, steps: 0, calls: 0 };

class Turn {
  readonly #options: TurnOptions;
  readonly #screen: Screen;
  readonly #over = new AbortController();
  readonly #calls = new Map<string, ShownCall>();
  #said = '';
  #thought = '';
  #usage: ChatUsage = NOTHING;

  constructor(options: TurnOptions, screen: Screen) {
    this.#options = options;
    this.#screen = screen;
    options.conversation.last = options.text;
    options.conversation.add({ kind: 'person', text: options.text });
  }

  hear(event: ChatEvent): void {
    const { conversation, questions } = this.#options;
    const { verbose } = conversation.choices;
    const screen = this.#screen;
    if (event.kind !== 'reasoning') this.#showThought();
    switch (event.kind) {
      case 'text':
        this.#said += event.text;
        return screen.text(event.text);
      case 'reasoning':
        this.#thought += verbose ? event.text : '';
        return undefined;
      case 'servers':
        return this.#servers(event);
      case 'call-start':
        return this.#callStart(event);
      case 'call-end':
        return this.#callEnd(event);
      case 'approval':
        if (questions) void this.#approve(event.approval, questions);
        return undefined;
      case 'approval-end': // the card says so itself
        return undefined;
      case 'suggestion':
        for (const { name, why, add, next } of event.suggestions) {
          const help = `${name} would help: ${why} → ${next}`;
          screen.line({ style: 'warn', text: '✦ ' }, help, faint(` (here: /mcp add ${add})`));
        }
        return undefined;
      case 'retry': {
        const seconds = Math.max(1, Math.round(event.waitMs / 1_000));
        return screen.line(WARNING, `${event.reason} Retrying in ${seconds} s.`);
      }
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'note':
        return screen.line(faint(event.text));
      default: // a newer hub may tell what this program does not know
        return event satisfies never;
    }
  }

  keep(outcome: ChatOutcome): TurnEnd {
    const { conversation, text, signal } = this.#options;
    this.#screen.end();
    this.#usage = outcome.usage;
    if (outcome.end === 'cut' && !signal.aborted && outcome.error) return this.fail(outcome.error, outcome);
    if (outcome.end === 'cut') return this.#stopped();
    conversation.messages = [...conversation.messages, personSays(text), ...outcome.messages];
    conversation.unanswered = undefined;
    this.#record();
    const { out } = this.#options.session;
    if (outcome.end === 'length') out.note(WARNING, 'The answer reached the model’s output limit.');
    if (outcome.end === 'steps') out.note(WARNING, 'Stopped after too many steps. Say “continue” to resume.');
    return this.#end('done', outcome.refused);
  }

  fail(error: ErrorView, outcome?: ChatOutcome): TurnEnd {
    const { conversation, text, signal, session } = this.#options;
    this.#screen.end();
    if (signal.aborted) return this.#stopped();
    // Calls that were made are not made again unawares: the model keeps what it knows of them.
    if (outcome && outcome.messages.length > 0)
      conversation.messages = [...conversation.messages, personSays(text), ...outcome.messages];
    conversation.unanswered = text;
    this.#record();
    conversation.add({ kind: 'note', text: `It failed: ${error.message}` });
    if (!session.out.json) renderError(error, session.out);
    return { ...this.#end('failed', outcome?.refused ?? []), error };
  }

  /** While a question has the screen, the answer waits: without this it could come behind the next prompt. */
  async over(): Promise<void> {
    const { questions, session, signal } = this.#options;
    const settled = questions?.settled();
    // That it was answered elsewhere comes by another stream, which may be a moment behind.
    const late = Promise.withResolvers<void>();
    const cancel = session.clock.after(chatLimits.elsewhereMs, late.resolve);
    if (!signal.aborted) await Promise.race([settled, late.promise]);
    cancel();
    this.#over.abort(new Error('the turn is over'));
    await settled;
  }

  #stopped(): TurnEnd {
    const { conversation, text } = this.#options;
    const done = [...this.#calls.values()].map(({ tool, end }) => `${tool} ${end?.outcome ?? 'cancelled'}`);
    const words = [
      this.#said,
      '[The person stopped this answer.',
      ...(done.length > 0 ? [`Calls until then: ${done.join(', ')}.`] : []),
    ];
    const content = `${words.filter((part) => part !== '').join(' ')}]`;
    conversation.messages = [...conversation.messages, personSays(text), { role: 'assistant', content }];
    conversation.unanswered = undefined;
    this.#record();
    conversation.add({ kind: 'note', text: 'Stopped.' });
    return this.#end('stopped', []);
  }

  #record(): void {
    const { conversation } = this.#options;
    this.#addSaid();
    const { model = 'default' } = conversation.choices;
    conversation.usages = [...conversation.usages, { model, usage: this.#usage }];
  }

  #addSaid(): void {
    if (this.#said !== '') this.#options.conversation.add({ kind: 'model', text: this.#said });
    this.#said = '';
  }

  #end(kind: TurnEnd['kind'], refused: readonly ErrorView[]): TurnEnd {
    const { entries } = this.#options.conversation;
    const last = entries.findLast((entry) => entry.kind === 'model');
    return { kind, text: last?.text ?? '', usage: this.#usage, calls: [...this.#calls.values()], refused };
  }

  #showThought(): void {
    const thought = this.#thought.trim();
    this.#thought = '';
    if (thought !== '') this.#screen.line(faint(thought));
  }

  #servers({ servers, named, of }: Extract<ChatEvent, { readonly kind: 'servers' }>): void {
    if (!named && of === undefined && !this.#options.conversation.choices.verbose) return;
    const list = servers.length === 0 ? 'no servers' : servers.join(', ');
    this.#screen.line(faint(`Using ${list}${of === undefined ? '' : `, chosen from ${of} servers`}.`));
  }

  #callStart({ id, tool, args }: Extract<ChatEvent, { readonly kind: 'call-start' }>): void {
    this.#addSaid();
    const call = { id, tool, args, startedMs: this.#options.session.clock.monotonic() };
    this.#calls.set(id, call);
    this.#screen.callStart(call);
  }

  #callEnd(event: Extract<ChatEvent, { readonly kind: 'call-end' }>): void {
    const { kind: _, id, tool: __, ...end } = event;
    const call = this.#calls.get(id);
    if (!call) return;
    const ended = { ...call, end };
    this.#calls.set(id, ended);
    this.#options.conversation.add({ kind: 'call', call: ended });
    this.#screen.callEnd(id, end);
    if ([...this.#calls.values()].every((one) => one.end)) this.#screen.status(thinking(this.#options));
  }

  /** A question that fails is told; the call itself waits until its time is over, or is answered elsewhere. */
  async #approve(approval: Parameters<Questions['approve']>[0], questions: Questions): Promise<void> {
    const signal = AbortSignal.any([this.#options.signal, this.#over.signal]);
    try {
      await questions.approve(approval, signal);
    } catch (error) {
      if (!signal.aborted) renderError(toPlugError(error).toView(), this.#options.session.out);
    }
  }
}
