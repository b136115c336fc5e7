import type { AuditRecord, WrittenRecord } from '../audit-record.ts';

/** Records waiting for the database, as journal lines in bytes: objects would be promoted to old space. */
export class WaitingRecords {
  #bytes: Buffer = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  #end = 0;
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

  /** Valid until the next `add` or `take`. */
  newLines(): Uint8Array {
    return this.#bytes.subarray(this.#unwritten, this.#end);
  }

  written(): void {
    this.#unwritten = this.#end;
  }

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
    // Memory needed for a burst is not kept.
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

export interface Waiting extends Pick<AuditRecord, 'at' | 'server' | 'tool' | 'outcome' | 'durationMs'> {
  readonly resultBytes?: number | undefined;
}

/** The callId comes first, and a quote inside it is escaped. */
function callIdIn(text: string): string {
  return JSON.parse(text.slice(ID_AT, text.indexOf('","at":', ID_AT) + 1)) as string; // as it was written
}

const ID_AT = '{"callId":'.length;
const LINE_BREAK = 10;
const UTF8_BYTES_MAX = 3;
const BYTES_AT_FIRST = 64 * 1024;
const BYTES_KEPT_MAX = 2 * 1024 * 1024;
