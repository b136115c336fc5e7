import type { LanguageModel, ToolSet } from 'ai';
import type { PlugError } from '../base/errors.ts';
import type { ChatMessage, ChatOutcome } from '../hub/hub.ts';
import { Answer, type WantedCall } from './answer.ts';
import { askPatiently, stopped } from './ask-patiently.ts';
import { callsIn } from './conversation.ts';
import { brokenTooOften, lastWords } from './ends.ts';
import type { LoopParts } from './parts.ts';
import { Repeats, runCalls, type CallMaker } from './run-calls.ts';
import { Tally } from './tally.ts';

/** A model, what it is told, and what its calls do. */
export interface PreparedLoop {
  readonly turn: LoopParts;
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: ToolSet;
  readonly maker: CallMaker;
}

export type LoopOutcome = Omit<ChatOutcome, 'refused'>;

/** Lets the model answer, call tools, and answer again, until it has nothing more to call. */
export class Loop {
  readonly #prepared: PreparedLoop;
  readonly #tally: Tally;
  readonly #repeats: Repeats;
  readonly #added: ChatMessage[] = [];
  readonly #ids: Set<string>;
  #sent: readonly ChatMessage[];
  #broken = 0;

  constructor(prepared: PreparedLoop) {
    this.#prepared = prepared;
    const { view, counts, limits } = prepared.turn;
    this.#tally = new Tally(view, counts);
    this.#repeats = new Repeats(limits.sameCallsMax);
    this.#sent = prepared.messages;
    this.#ids = new Set(callsIn(prepared.messages).map(({ id }) => id));
  }

  async run(): Promise<LoopOutcome> {
    const { turn } = this.#prepared;
    const { events, limits, signal } = turn;
    for (let step = 1; step <= limits.stepsMax; step += 1) {
      const { answer, error } = await this.#ask();
      if (error) return this.#cut(error, answer);
      if (answer.unreadable > 0) events.note('Part of the model’s answer could not be read and is missing.');
      const calls = this.#keep(answer);
      if (calls.length === 0) return this.#end(answer);
      this.#broken += calls.filter(({ broken }) => broken !== undefined).length;
      this.#add(await runCalls(turn, calls, { maker: this.#prepared.maker, repeats: this.#repeats }));
      if (signal.aborted) return this.#cut(stopped());
      if (this.#broken > limits.brokenCallsMax) return this.#cut(brokenTooOften(turn.view));
    }
    events.note(`The model was stopped after ${limits.stepsMax} steps. Ask it to go on if it should.`);
    return this.#outcome('steps', '');
  }

  async #ask(): ReturnType<typeof askPatiently> {
    const { turn, model, instructions, tools } = this.#prepared;
    if (turn.signal.aborted) return { answer: new Answer(), sent: this.#sent, error: stopped() };
    const step = await askPatiently(turn, { model, instructions, tools, messages: this.#sent });
    this.#sent = step.sent;
    this.#tally.add(step.answer);
    return step;
  }

  /** Ids are the model's; one that was there before would make two calls one. */
  #keep(answer: Answer): readonly WantedCall[] {
    const { ids } = this.#prepared.turn;
    const renamed = new Map(
      answer.calls.map((call) => {
        const id = this.#ids.has(call.id) || call.id === '' ? ids.next('call') : call.id;
        this.#ids.add(id);
        return [call, { ...call, id }] as const;
      }),
    );
    const message = answer.message((call) => renamed.get(call)?.id ?? call.id);
    if (message) this.#add(message);
    return [...renamed.values()];
  }

  #add(message: ChatMessage): void {
    this.#added.push(message);
    this.#sent = [...this.#sent, message];
  }

  #end(answer: Answer): LoopOutcome {
    const { end, note } = lastWords(answer);
    if (note !== undefined) this.#prepared.turn.events.note(note);
    return this.#outcome(end, answer.text);
  }

  /** What was said and done until now is kept. Where nothing was, the failure is all there is to tell. */
  #cut(error: PlugError, answer?: Answer): LoopOutcome {
    const spoken = answer?.spoken();
    if (spoken) this.#add(spoken);
    if (this.#added.length === 0 && error.code !== 'cancelled') {
      this.#prepared.turn.events.flush();
      throw error;
    }
    return { ...this.#outcome('cut', answer?.text ?? ''), error: error.toView() };
  }

  #outcome(end: ChatOutcome['end'], text: string): LoopOutcome {
    const { events } = this.#prepared.turn;
    const usage = this.#tally.usage();
    events.tell({ kind: 'usage', usage });
    return { messages: this.#added, text, end, usage };
  }
}
