import { safeBorder } from './cut.ts';

/** Gathers parts of a text into pieces of one size; a piece never ends in half a character. */
export class PieceWriter {
  readonly #pieceChars: number;
  readonly #pieces: string[] = [];
  #parts: string[] = [];
  #chars = 0;
  #bytes = 0;

  constructor(pieceChars: number) {
    this.#pieceChars = pieceChars;
  }

  /** Answers whether a piece was completed: a good moment to let others work. */
  add(part: string): boolean {
    this.#parts.push(part);
    this.#chars += part.length;
    if (this.#chars < this.#pieceChars) return false;
    let text = this.#parts.join('');
    while (text.length >= this.#pieceChars) {
      const border = safeBorder(text, this.#pieceChars);
      this.#push(text.slice(0, border));
      text = text.slice(border);
    }
    this.#parts = [text];
    this.#chars = text.length;
    return true;
  }

  end(): { readonly pieces: readonly string[]; readonly bytes: number } {
    const rest = this.#parts.join('');
    if (rest !== '') this.#push(rest);
    this.#parts = [];
    return { pieces: this.#pieces, bytes: this.#bytes };
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#bytes += Buffer.byteLength(piece);
  }
}
