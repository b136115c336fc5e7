import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { CodeLimits } from './limits.ts';
import { failureAtEnd } from './machine-failure.ts';
import type { AskKind, ThreadSaid } from './thread-messages.ts';

/** What has gone through the one door of a machine. */
export interface HostDoor {
  readonly limits: CodeLimits;
  readonly asked: { call: number; lookup: number };
  /** Questions that are not answered yet. */
  open: number;
  readonly logged: { lines: number; chars: number };
}

interface DoorAnswer {
  readonly said?: ThreadSaid;
  /** Which limit is reached, as a sentence for the script. */
  readonly refused?: string;
}

/**
 * What a script says, as the prelude hands it over: `(kind, id, …texts)`. This is the border: nothing
 * of the script is believed here, and no text is copied out before its length is known.
 */
export function answerHost(
  context: QuickJSContext,
  handles: readonly QuickJSHandle[],
  door: HostDoor,
): DoorAnswer {
  const { limits } = door;
  const [kind = '', ...texts] = [handles[0], ...handles.slice(2)].map((handle) => textOf(context, handle));
  const id = handles[1] ? context.getNumber(handles[1]) : 0;
  const [first, second = '', third = ''] = texts;
  switch (kind) {
    case 'log':
      return logged(first ?? TOO_LONG, door);
    case 'returned':
      return returned(handles.length > 2, first, limits);
    case 'failed':
      return { said: { kind: 'failed', failure: failureAtEnd(first ?? '', cut(second, limits), third) } };
    case 'call':
    case 'search':
    case 'describe': {
      const refused = refusal(kind, first, door);
      if (refused !== undefined || first === undefined) return { refused: refused ?? TOO_LONG };
      door.open += 1;
      const path = texts.slice(1).map((text) => text ?? '');
      return { said: { kind: 'ask', id, what: kind, path, text: first } };
    }
    default:
      return {};
  }

  function textOf(from: QuickJSContext, handle: QuickJSHandle | undefined): string | undefined {
    if (handle === undefined || from.typeof(handle) !== 'string') return undefined;
    const length = from.getProp(handle, 'length').consume((number) => from.getNumber(number));
    return length > Math.max(limits.valueCharsMax, limits.argumentsCharsMax)
      ? undefined
      : from.getString(handle);
  }
}

function returned(hasValue: boolean, text: string | undefined, limits: CodeLimits): DoorAnswer {
  if (!hasValue) return { said: { kind: 'returned', text: undefined } };
  if (text !== undefined && text.length <= limits.valueCharsMax) return { said: { kind: 'returned', text } };
  const message = `The script returned more than ${limits.valueCharsMax} characters. Return less: pick the fields and rows that you need.`;
  return { said: { kind: 'failed', failure: { kind: 'too_large', message } } };
}

function refusal(kind: AskKind, text: string | undefined, door: HostDoor): string | undefined {
  const { limits, asked } = door;
  if (kind === 'call') {
    if (asked.call >= limits.callsMax)
      return `A script may make ${limits.callsMax} calls, and has made them.`;
    if (text === undefined || text.length > limits.argumentsCharsMax)
      return `The arguments are longer than ${limits.argumentsCharsMax} characters.`;
    asked.call += 1;
    return undefined;
  }
  if (asked.lookup >= limits.lookupsMax)
    return `A script may look up tools ${limits.lookupsMax} times, and has done so.`;
  asked.lookup += 1;
  return text === undefined || text.length > limits.argumentsCharsMax ? TOO_LONG : undefined;
}

/** Lines up to the limit, then one that says so, then none. */
function logged(text: string, { limits, logged: sum }: HostDoor): DoorAnswer {
  const room = limits.logCharsMax - sum.chars;
  if (sum.lines > limits.logLinesMax || room < 0) return {};
  sum.lines += 1;
  sum.chars += text.length;
  if (sum.lines <= limits.logLinesMax && text.length <= room) return { said: { kind: 'log', text } };
  sum.chars = limits.logCharsMax + 1;
  const shown = sum.lines <= limits.logLinesMax ? text.slice(0, room) : '';
  return { said: { kind: 'log', text: `${shown}… (the rest of the console is left out)` } };
}

function cut(text: string, limits: CodeLimits): string {
  return text.length > limits.errorCharsMax ? `${text.slice(0, limits.errorCharsMax)}…` : text;
}

const TOO_LONG = 'This is too long.';
