import { hasOddNumber, marked, unmarked } from '../../base/parse-json.ts';

/**
 * The SDK's transports parse what they receive themselves, so that numbers lose their digits. Before they
 * do, such numbers are made strings that only we know; afterwards they are put back.
 */
export class MarkedNumbers {
  #isUsed = false;

  /** Of a whole JSON body. Only ASCII changes, so the encoding of the rest does not matter. */
  mark(body: Buffer): Buffer {
    const text = body.toString('latin1');
    if (!hasOddNumber(text)) return body;
    this.#isUsed = true;
    return Buffer.from(marked(withPlainCode(text)), 'latin1');
  }

  /** Of whole lines of an event stream. JSON breaks no line inside a string. */
  markLines(lines: Buffer): Buffer {
    const text = lines.toString('latin1');
    if (!hasOddNumber(text)) return lines;
    this.#isUsed = true;
    const made = text.replaceAll(
      DATA,
      (line: string) => line.slice(0, LEAD) + marked(withPlainCode(line.slice(LEAD))),
    );
    return Buffer.from(made, 'latin1');
  }

  /** Most servers send no such number, and their messages are not walked. */
  restore<T>(message: T): T {
    return this.#isUsed ? (unmarked(message) as T) : message; // only strings of ours become numbers
  }
}

/** The SDK takes no string for the code of an error; as it is never passed on, only its value counts. */
function withPlainCode(message: string): string {
  return message.replace(ERROR_CODE, (_, before: string, code: string) => before + String(Number(code)));
}

/** Bounded: a pattern that goes back over a long text needs much stack. */
const STRING = String.raw`"(?:[^"\\]|\\.){0,1000}"`;
/** The code of the outermost error, with nothing but plain fields before it. */
const ERROR_CODE = new RegExp(
  String.raw`^(\s*\{\s*(?:"(?:jsonrpc|id)"\s*:\s*(?:${STRING}|[^,"{}[\]]+),\s*)*"error"\s*:\s*\{\s*(?:"message"\s*:\s*${STRING}\s*,\s*)?"code"\s*:\s*)(-?\d[\d.eE+-]*)`,
);

const DATA = /^data:[^\r\n]*/gm;
const LEAD = 'data:'.length;

/** Holds back the line that is not complete yet; a parser would only wait for it, too. */
export class WholeLines {
  #pieces: Buffer[] = [];

  push(chunk: Buffer): Buffer | undefined {
    const end = Math.max(chunk.lastIndexOf(NEWLINE), chunk.lastIndexOf(RETURN)) + 1;
    if (end === 0) {
      this.#pieces.push(chunk);
      return undefined;
    }
    const lines = end === chunk.length ? chunk : chunk.subarray(0, end);
    const whole = this.#pieces.length === 0 ? lines : Buffer.concat([...this.#pieces, lines]);
    this.#pieces = end === chunk.length ? [] : [chunk.subarray(end)];
    return whole;
  }

  end(): Buffer | undefined {
    return this.#pieces.length === 0 ? undefined : Buffer.concat(this.#pieces.splice(0));
  }
}

const NEWLINE = 10;
const RETURN = 13;
