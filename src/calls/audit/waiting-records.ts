import type { AuditRecord, WrittenRecord } from '../audit-record.ts';

/**
 * Records that wait for the database, as bytes, one after the other with a line break behind each: the
 * journal takes them as they stand here. Every call leaves one, for a good while as the engine counts.
 * As objects they would all grow old, and only the dear kind of collection would find them.
 */
export class WaitingRecords {
  #bytes: Buffer = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  #end = 0;
  #unwritten = 0;
  /** Of each record: where it ends, and what is looked for in it. The names are few, and not copied. */
  #ends: number[] = [];
  #ats: number[] = [];
  #servers: string[] = [];
  #tools: string[] = [];
  #outcomes: AuditRecord['outcome'][] = [];
  #durations: number[] = [];
  /** -1 where there was none, so that all are numbers. */
  #sizes: number[] = [];

  get count(): number {
    return this.#ends.length;
  }

  /** `text` is the whole record as `textOfRecord` writes it. */
  add(record: Waiting, text: string): void {
    this.#grow(text.length * UTF8_BYTES_MAX + 1);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
    this.#bytes[this.#end] = LINE_BREAK;
    this.#end += 1;
    this.#ends.push(this.#end);
    this.#ats.push(record.at);
    this.#servers.push(record.server);
    this.#tools.push(record.tool);
    this.#outcomes.push(record.outcome);
    this.#durations.push(record.durationMs);
    this.#sizes.push(record.resultBytes ?? -1);
  }

  /** The lines that the journal does not have yet. Valid until the next `add` or `take`. */
  newLines(): Uint8Array {
    return this.#bytes.subarray(this.#unwritten, this.#end);
  }

  /** The journal has all of them now. */
  written(): void {
    this.#unwritten = this.#end;
  }

  /** Hands all of them over, in order. */
  take(): readonly WrittenRecord[] {
    const records = this.#ends.map((_, index) => this.#record(index));
    this.#end = this.#unwritten = 0;
    this.#ends = [];
    this.#ats = [];
    this.#servers = [];
    this.#tools = [];
    this.#outcomes = [];
    this.#durations = [];
    this.#sizes = [];
    // What a flood has needed is not kept.
    if (this.#bytes.length > BYTES_KEPT_MAX) this.#bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
    return records;
  }

  #record(index: number): WrittenRecord {
    const from = this.#ends[index - 1] ?? 0;
    const text = this.#bytes.toString('utf8', from, (this.#ends[index] ?? 0) - 1);
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

  #grow(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

/** What is looked for and counted in it. */
export interface Waiting extends Pick<AuditRecord, 'at' | 'server' | 'tool' | 'outcome' | 'durationMs'> {
  readonly resultBytes?: number | undefined;
}

/** It stands first; within it a quote would have a backslash before it. */
function callIdIn(text: string): string {
  return JSON.parse(text.slice(ID_AT, text.indexOf('","at":', ID_AT) + 1)) as string; // as it was written
}

const ID_AT = '{"callId":'.length;
const LINE_BREAK = 10;
const UTF8_BYTES_MAX = 3;
const BYTES_AT_FIRST = 64 * 1024;
const BYTES_KEPT_MAX = 2 * 1024 * 1024;
