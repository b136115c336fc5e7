/** Answers go out as one array once complete (JSON-RPC 2.0, “Batch”). */
export class BatchReply {
  readonly #write: (line: string) => void;
  readonly #texts: string[] = [];
  #missing = 0;
  #whole = false;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Reserves one answer; undefined leaves it out. */
  place(): (text: string | undefined) => void {
    this.#missing += 1;
    return (text) => {
      this.#missing -= 1;
      if (text !== undefined) this.#texts.push(text);
      this.#send();
    };
  }

  close(): void {
    this.#whole = true;
    this.#send();
  }

  #send(): void {
    if (this.#whole && this.#missing === 0 && this.#texts.length > 0)
      this.#write(`[${this.#texts.join(',')}]`);
  }
}
