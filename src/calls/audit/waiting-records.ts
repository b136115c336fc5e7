import { Line, type LinePlace } from '../../base/line.ts';
import type { AuditRecord, WrittenRecord } from '../audit-record.ts';

/** Records waiting for the database, as journal lines in bytes: objects would be promoted to old space. */
export class WaitingRecords {
  readonly #lines = new LineBuffer();
  #unwritten = 0;
  /** Per record: where it ends, and the fields that are searched. */
  #ends: number[] = [];
  #ats: number[] = [];
  #servers: string[] = [];
  #tools: string[] = [];
  #outcomes: AuditRecord['outcome'][] = [];
  #durations: number[] = [];
  /** -1 for none, so that all are numbers. */
  #sizes: number[] = [];

  get count(): number {
    return this.#ends.length;
  }

  /** Its text is the two parts: joined, they would be copied once more. */
  add(record: Waiting, beginning: string, ending: string): void {
    this.#lines.write(beginning);
    this.#lines.write(ending);
    this.#lines.endLine();
    this.#ends.push(this.#lines.end);
    this.#ats.push(record.at);
    this.#servers.push(record.server);
    this.#tools.push(record.tool);
    this.#outcomes.push(record.outcome);
    this.#durations.push(record.durationMs);
    this.#sizes.push(record.resultBytes ?? -1);
  }

  /** Valid until the next `add` or `take`. */
  newLines(): Uint8Array {
    return this.#lines.from(this.#unwritten);
  }

  written(): void {
    this.#unwritten = this.#lines.end;
  }

  take(): readonly WrittenRecord[] {
    const records = this.#ends.map((_, index) => this.#record(index));
    this.#unwritten = 0;
    this.#ends = [];
    this.#ats = [];
    this.#servers = [];
    this.#tools = [];
    this.#outcomes = [];
    this.#durations = [];
    this.#sizes = [];
    this.#lines.clear();
    return records;
  }

  #record(index: number): WrittenRecord {
    const text = this.#lines.text(this.#ends[index - 1] ?? 0, (this.#ends[index] ?? 0) - 1);
    const resultBytes = this.#sizes[index] ?? -1;
    return {
      callId: callIdIn(text),
      at: this.#ats[index] ?? 0,
      server: this.#servers[index] ?? '',
      tool: this.#tools[index] ?? '',
      outcome: this.#outcomes[index] ?? 'failed',
      durationMs: this.#durations[index] ?? 0,
      ...(resultBytes < 0 ? {} : { resultBytes }),
      text,
    };
  }
}

export interface Waiting extends Pick<AuditRecord, 'at' | 'server' | 'tool' | 'outcome' | 'durationMs'> {
  readonly resultBytes?: number | undefined;
}

/** The callId comes first, and a quote inside it is escaped. */
export function callIdIn(text: string): string {
  return JSON.parse(text.slice(ID_AT, text.indexOf('","at":', ID_AT) + 1)) as string; // as it was written
}

export interface OpenCall {
  readonly beginning: string;
  /** With a journal: its place among open calls, and the promise that its line is written, unless it is. */
  readonly place?: LinePlace<string>;
  readonly written?: Promise<void> | undefined;
}

/** The journal refused its line, so the call was not made. */
export function wasRefused({ place }: OpenCall): boolean {
  return place !== undefined && place.item === undefined;
}

/** Calls that have not ended, and which of their lines the journal does not have yet. */
export class OpenCalls {
  readonly #open = new Line<string>();
  readonly #lines = new LineBuffer();
  #unwritten: LinePlace<string>[] = [];
  /** Of those: put into bytes once for all calls of a turn. */
  #text = '';

  get count(): number {
    return this.#open.size;
  }

  add(beginning: string): LinePlace<string> {
    const place = this.#open.add(beginning);
    this.#unwritten.push(place);
    this.#text += `${beginning}}\n`;
    return place;
  }

  end(place: LinePlace<string>): void {
    this.#open.delete(place);
  }

  /** Valid until they are written. */
  newLines(): Uint8Array {
    return this.#text === '' ? NOTHING : this.#bytesOf(this.#text);
  }

  written(): void {
    this.#text = '';
    this.#lines.clear();
    this.#unwritten = [];
  }

  /** The journal refused these lines: the calls are not made. */
  refused(): void {
    for (const place of this.#unwritten) this.#open.delete(place);
    this.written();
  }

  /** Of all open calls. Valid until the next ones; no new lines may be pending. */
  lines(): Uint8Array {
    let text = '';
    for (const beginning of this.#open) text += `${beginning}}\n`;
    const lines = this.#bytesOf(text);
    this.written();
    return lines;
  }

  #bytesOf(text: string): Uint8Array {
    this.#lines.end = 0;
    this.#lines.write(text);
    return this.#lines.from(0);
  }
}

class LineBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  end = 0;

  write(text: string): void {
    const needed = this.end + text.length * UTF8_BYTES_MAX + LINE_END_BYTES;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.end);
      this.#bytes = larger;
    }
    this.end += this.#bytes.write(text, this.end, 'utf8');
  }

  /** `write` has left room for it. */
  endLine(): void {
    this.#bytes[this.end++] = LINE_BREAK;
  }

  from(start: number): Uint8Array {
    return start === this.end ? NOTHING : this.#bytes.subarray(start, this.end);
  }

  text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  clear(): void {
    this.end = 0;
    // Memory needed for a burst is not kept.
    if (this.#bytes.length > BYTES_KEPT_MAX) this.#bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  }
}

const NOTHING = new Uint8Array();
const ID_AT = '{"callId":'.length;
const LINE_BREAK = 10;
const UTF8_BYTES_MAX = 3;
const LINE_END_BYTES = 1;
const BYTES_AT_FIRST = 64 * 1024;
const BYTES_KEPT_MAX = 2 * 1024 * 1024;
