import { PlugError } from '../base/errors.ts';
import { canonicalJson, type JsonObject } from '../base/json.ts';
import type { ChatMessage } from '../hub/hub.ts';
import type { WantedCall } from './answer.ts';
import { cancelledResult } from './conversation.ts';
import type { TurnParts } from './parts.ts';
import { outputFor } from './result-text.ts';
import { errorResult, runCall } from './run-call.ts';
import type { ShownTools } from './tool-set.ts';

/** Makes all calls of one step at once, and answers with their results in the order of the calls. */
export async function runCalls(
  turn: TurnParts,
  calls: readonly WantedCall[],
  { shown, repeats }: { readonly shown: ShownTools; readonly repeats: Repeats },
): Promise<ChatMessage> {
  const { callsPerStepMax, callsAtOnceMax } = turn.limits;
  const waiting = calls.map((call, index) => {
    const refusal = call.broken !== undefined ? notJson(call) : repeats.refuse(call);
    const tooMany = index >= callsPerStepMax ? tooManyCalls(callsPerStepMax) : undefined;
    return { call, refusal: tooMany ?? refusal };
  });
  const results: JsonObject[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { call, refusal } = next;
      results[calls.indexOf(call)] = await resultPart(turn, call, { shown, refusal });
    }
  };
  await Promise.all(Array.from({ length: Math.min(callsAtOnceMax, calls.length) }, work));
  return { role: 'tool', content: results };
}

async function resultPart(
  turn: TurnParts,
  call: WantedCall,
  { shown, refusal }: { readonly shown: ShownTools; readonly refusal: PlugError | undefined },
): Promise<JsonObject> {
  if (turn.signal.aborted) return cancelledResult(call);
  const own = shown.own(call.name, call.args);
  const result = refusal
    ? refused(turn, call, refusal)
    : await runCall(turn, { id: call.id, name: own.name, args: own.args });
  // Outputs of the SDK are JSON.
  const output = outputFor(turn.view, result) as unknown as JsonObject;
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}

/** A call that is not made is shown like one that failed. */
function refused({ events }: TurnParts, { id, name: tool, args }: WantedCall, error: PlugError): JsonObject {
  events.tell({ kind: 'call-start', id, tool, args });
  const { message: text } = error;
  events.tell({ kind: 'call-end', id, tool, outcome: 'failed', durationMs: 0, text, error: error.toView() });
  return errorResult(error);
}

function notJson({ name, broken = '' }: WantedCall): PlugError {
  const shown = broken.slice(0, SHOWN_CHARS);
  return new PlugError('bad_arguments', `The arguments of ${name} were no JSON object: ${shown}`, {
    owner: 'server',
    next: 'Make the call again with a JSON object.',
  });
}

function tooManyCalls(max: number): PlugError {
  return new PlugError('unavailable', `No more than ${max} calls are made at once.`, {
    owner: 'plugboard',
    next: 'Make the others in the next step.',
  });
}

const SHOWN_CHARS = 200;

/** Keeps a model from making the same call forever. */
export class Repeats {
  readonly #max: number;
  #last = '';
  #times = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Why this call is not made, if it is not. */
  refuse({ name, args }: WantedCall): PlugError | undefined {
    const signature = `${name} ${canonicalJson(args)}`;
    this.#times = signature === this.#last ? this.#times + 1 : 1;
    this.#last = signature;
    if (this.#times <= this.#max) return undefined;
    const message = `This call was made ${this.#max} times in a row with the same arguments and is not repeated.`;
    return new PlugError('unavailable', message, {
      owner: 'server',
      next: 'Use the result that is there, try something else, or tell the person what is missing.',
    });
  }
}
