export interface Frame {
  /** As written: a number, or a string with its quotes. */
  readonly id: string | undefined;
  readonly method: string | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;
const SPACE = 0x20;

const ASCII = /^[\x20-\x7e]*$/;

const KEY_BYTES_MAX = 16;

/** Finds id and method of a JSON-RPC message in its bytes: any size costs no memory and no parsing. */
export class FrameScanner {
  readonly #valueBytesMax: number;
  #frames: Frame[] = [];
  /** The depth of a message's members: one deeper in a batch. */
  #base = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #atKey = false;
  #text = '';
  #reads: 'key' | 'value' | undefined;
  #key = '';
  #id: string | undefined;
  #method: string | undefined;
  #isAnswer = false;
  #done = false;

  constructor(options: { readonly valueBytesMax: number }) {
    this.#valueBytesMax = options.valueBytesMax;
  }

  feed(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end && !this.#done; at += 1) {
      const byte = bytes[at] as number; // the index is within the bytes
      if (this.#inString) this.#inText(byte);
      else if (byte > SPACE) this.#structure(byte);
    }
  }

  /** The line has ended: its messages, more than one only in a batch. */
  finish(): readonly Frame[] {
    if (this.#base === 1) this.#emit();
    const frames = this.#frames;
    this.#frames = [];
    this.#base = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#done = false;
    this.#begin();
    return frames;
  }

  #inText(byte: number): void {
    if (this.#reads) this.#read(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (this.#reads === 'key') this.#endKey();
    }
  }

  #structure(byte: number): void {
    const outer = this.#depth === this.#base && this.#base > 0;
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        if (outer && this.#atKey) {
          this.#reads = 'key';
          this.#text = '';
        } else if (this.#reads) this.#read(byte);
        return;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#open(byte);
        return;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (outer) {
          this.#endValue();
          if (this.#base === 2) this.#emit();
        }
        this.#depth -= 1;
        return;
      case COMMA:
        if (!outer) return;
        this.#endValue();
        this.#atKey = true;
        return;
      case COLON:
        if (outer) this.#beginValue();
        return;
      default:
        if (this.#reads) this.#read(byte);
    }
  }

  #open(byte: number): void {
    if (this.#base === 0) this.#base = byte === OPEN_LIST ? 2 : 1;
    this.#depth += 1;
    if (byte === OPEN_OBJECT && this.#depth === this.#base) this.#begin();
    // Only a plain value is an id or a method.
    else this.#reads = undefined;
  }

  #begin(): void {
    this.#atKey = true;
    this.#reads = undefined;
    this.#key = '';
    this.#id = undefined;
    this.#method = undefined;
    this.#isAnswer = false;
  }

  #read(byte: number): void {
    const max = this.#reads === 'key' ? KEY_BYTES_MAX : this.#valueBytesMax;
    if (this.#text.length <= max) this.#text += String.fromCharCode(byte);
  }

  #endKey(): void {
    this.#key = this.#text.slice(0, -1);
    this.#atKey = false;
    this.#reads = undefined;
    if (this.#key === 'result' || this.#key === 'error') this.#isAnswer = true;
    this.#settle();
  }

  #beginValue(): void {
    if (this.#key !== 'id' && this.#key !== 'method') return;
    this.#reads = 'value';
    this.#text = '';
  }

  #endValue(): void {
    if (this.#reads !== 'value') return;
    this.#reads = undefined;
    if (this.#text.length > this.#valueBytesMax || this.#text === 'null') return;
    // Nearly always ASCII.
    const text = ASCII.test(this.#text) ? this.#text : Buffer.from(this.#text, 'latin1').toString('utf8');
    if (this.#key === 'id') this.#id = text;
    else if (text.startsWith('"')) this.#method = text.slice(1, -1);
    this.#settle();
  }

  #settle(): void {
    const isClear = this.#id !== undefined && (this.#isAnswer || this.#method !== undefined);
    if (this.#base === 1 && isClear) this.#done = true;
  }

  #emit(): void {
    if (this.#id === undefined && this.#method === undefined) return;
    // Some answers have a method too.
    this.#frames.push({ id: this.#id, method: this.#isAnswer ? undefined : this.#method });
    this.#begin();
  }
}
