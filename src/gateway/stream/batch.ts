/** Gathers the answers to a batch: they go out as one array, once all are there (JSON-RPC 2.0, “Batch”). */
export class BatchReply {
  readonly #write: (line: string) => void;
  readonly #texts: string[] = [];
  #missing = 0;
  #whole = false;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** A place for one answer; undefined leaves it out. */
  place(): (text: string | undefined) => void {
    this.#missing += 1;
    return (text) => {
      this.#missing -= 1;
      if (text !== undefined) this.#texts.push(text);
      this.#send();
    };
  }

  /** Every message of the batch was read. */
  close(): void {
    this.#whole = true;
    this.#send();
  }

  #send(): void {
    if (this.#whole && this.#missing === 0 && this.#texts.length > 0)
      this.#write(`[${this.#texts.join(',')}]`);
  }
}
