import type { LanguageModel, ToolSet } from 'ai';
import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import type { ChatMessage, ChatOutcome, ModelView } from '../hub/hub.ts';
import { Answer, askPatiently, stopped, type WantedCall } from './ask-model.ts';
import { callsIn, cancelledResult } from './conversation.ts';
import type { LoopParts, TurnParts } from './parts.ts';
import { canonicalJson, type JsonObject } from '../base/json.ts';
import { outputFor } from './result-content.ts';
import { errorResult, runCall } from './run-call.ts';
import type { ShownTools } from './model.ts';

export interface PreparedLoop {
  readonly turn: LoopParts;
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: ToolSet;
  readonly maker: CallMaker;
}

export type LoopOutcome = Omit<ChatOutcome, 'refused'>;

export class Loop {
  readonly #prepared: PreparedLoop;
  readonly #used = { inputTokens: 0, outputTokens: 0, steps: 0 };
  readonly #repeats: RefuseRepeats;
  readonly #added: ChatMessage[] = [];
  readonly #ids: Set<string>;
  #sent: readonly ChatMessage[];
  #broken = 0;

  constructor(prepared: PreparedLoop) {
    this.#prepared = prepared;
    this.#repeats = limitRepeats(prepared.turn.limits.sameCallsMax);
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
    this.#used.steps += 1;
    this.#used.inputTokens += step.answer.inputTokens;
    this.#used.outputTokens += step.answer.outputTokens;
    return step;
  }

  /** A repeated id would merge two calls. */
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
    const { finish, text } = answer;
    const empty = text.trim() === '' ? 'The model gave no answer. Ask again, or rephrase.' : undefined;
    const note = NOTES[finish ?? ''] ?? empty;
    if (note !== undefined) this.#prepared.turn.events.note(note);
    return this.#outcome(finish === 'length' ? 'length' : 'done', text);
  }

  /** Keeps what was said and done; throws when there is nothing to keep. */
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
    const { events, counts, view } = this.#prepared.turn;
    const { price } = view;
    const { inputTokens, outputTokens } = this.#used;
    const cost = price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
    const usage = { ...this.#used, calls: counts.calls, ...defined({ cost }) };
    events.tell({ kind: 'usage', usage });
    return { messages: this.#added, text, end, usage };
  }
}

const NOTES: Readonly<Record<string, string>> = {
  length: 'The model stopped because its answer became too long. Ask it to go on.',
  'content-filter': 'The provider held the answer back, or a part of it, by its content rules.',
};

function brokenTooOften({ name }: ModelView): PlugError {
  const message = `${name} keeps calling tools with arguments that are no JSON. Choose a model that is better at calling tools.`;
  const remedy = { do: 'show', what: 'models' } as const;
  return new PlugError('protocol_error', message, { owner: 'server', remedy });
}

interface CallMaker {
  readonly make: (call: WantedCall) => Promise<JsonObject>;
  readonly refuse: (call: WantedCall, error: PlugError) => JsonObject;
}

/** Makes all calls of one step at once; results are in the order of the calls. */
async function runCalls(
  turn: LoopParts,
  calls: readonly WantedCall[],
  { maker, repeats }: { readonly maker: CallMaker; readonly repeats: RefuseRepeats },
): Promise<ChatMessage> {
  const { callsPerStepMax, callsAtOnceMax } = turn.limits;
  const waiting = calls.map((call, index) => {
    const refusal = call.broken !== undefined ? notJson(call) : repeats(call);
    const tooMany = index >= callsPerStepMax ? tooManyCalls(callsPerStepMax) : undefined;
    return { call, refusal: tooMany ?? refusal };
  });
  const results: JsonObject[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { call, refusal } = next;
      results[calls.indexOf(call)] = await resultPart(turn, call, { maker, refusal });
    }
  };
  await Promise.all(Array.from({ length: Math.min(callsAtOnceMax, calls.length) }, work));
  return { role: 'tool', content: results };
}

export function chatCalls(turn: TurnParts, shown: ShownTools): CallMaker {
  return {
    make: (call) => {
      const own = shown.own(call.name, call.args);
      return runCall(turn, { id: call.id, name: own.name, args: own.args });
    },
    refuse: ({ id, name: tool, args }, error) => {
      const { events } = turn;
      events.tell({ kind: 'call-start', id, tool, args });
      const end = { outcome: 'failed', durationMs: 0, text: error.message, error: error.toView() } as const;
      events.tell({ kind: 'call-end', id, tool, ...end });
      return errorResult(error);
    },
  };
}

async function resultPart(
  { signal, view }: LoopParts,
  call: WantedCall,
  { maker, refusal }: { readonly maker: CallMaker; readonly refusal: PlugError | undefined },
): Promise<JsonObject> {
  if (signal.aborted) return cancelledResult(call);
  const result = refusal ? maker.refuse(call, refusal) : await maker.make(call);
  // Outputs of the SDK are JSON.
  const output = outputFor(view, result) as unknown as JsonObject;
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}

function notJson({ name, broken = '' }: WantedCall): PlugError {
  const shown = broken.slice(0, SHOWN_CHARS);
  return new PlugError('bad_arguments', `The arguments of ${name} were no JSON object: ${shown}`, {
    owner: 'server',
    remedy: 'Make the call again with a JSON object.',
  });
}

function tooManyCalls(max: number): PlugError {
  return new PlugError('unavailable', `No more than ${max} calls are made at once.`, {
    owner: 'plugboard',
    remedy: 'Make the others in the next step.',
  });
}

const SHOWN_CHARS = 200;

type RefuseRepeats = (call: WantedCall) => PlugError | undefined;

function limitRepeats(max: number): RefuseRepeats {
  let last = '';
  let times = 0;
  return ({ name, args }) => {
    const signature = `${name} ${canonicalJson(args)}`;
    times = signature === last ? times + 1 : 1;
    last = signature;
    if (times <= max) return undefined;
    const message = `This call was made ${max} times in a row with the same arguments and is not repeated.`;
    return new PlugError('unavailable', message, {
      owner: 'server',
      remedy: 'Use the result that is there, try something else, or tell the person what is missing.',
    });
  };
}
