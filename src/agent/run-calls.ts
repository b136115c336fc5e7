import { PlugError } from '../base/errors.ts';
import { canonicalJson, type JsonObject } from '../base/json.ts';
import type { ChatMessage } from '../hub/hub.ts';
import type { WantedCall } from './answer.ts';
import { cancelledResult } from './conversation.ts';
import type { LoopParts, TurnParts } from './parts.ts';
import { outputFor } from './result-content.ts';
import { errorResult, runCall } from './run-call.ts';
import type { ShownTools } from './model.ts';

export interface CallMaker {
  readonly make: (call: WantedCall) => Promise<JsonObject>;
  readonly refuse: (call: WantedCall, error: PlugError) => JsonObject;
}

/** Makes all calls of one step at once; results are in the order of the calls. */
export async function runCalls(
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

export type RefuseRepeats = (call: WantedCall) => PlugError | undefined;

/** Keeps a model from making the same call forever. */
export function limitRepeats(max: number): RefuseRepeats {
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
