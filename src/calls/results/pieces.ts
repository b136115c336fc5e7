import { safeBorder } from './cut.ts';

/** Pieces of one size, never ending in half a character. */
export class PieceWriter {
  readonly #pieceChars: number;
  readonly #pieces: string[] = [];
  #parts: string[] = [];
  #chars = 0;
  #bytes = 0;

  constructor(pieceChars: number) {
    this.#pieceChars = pieceChars;
  }

  /** Whether a piece was completed: a good moment to yield. */
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
