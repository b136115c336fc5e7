/** Never half of a character. */
export function cutText(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, safeBorder(text, chars));
}

/** At the end of a line if one ends in the second half. */
export function cutAtLine(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const newline = text.lastIndexOf('\n', chars);
  return newline >= chars / 2 ? text.slice(0, newline) : cutText(text, chars);
}

/** At or just before `at`, never between surrogates. */
export function safeBorder(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  const torn = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return torn ? at - 1 : at;
}

/** A page's end depends only on the text near it: any page can be cut without reading the others. */
export function pageCount(textChars: number, pageChars: number): number {
  return Math.max(1, Math.ceil(textChars / pageChars));
}

/** Pages count from 1. */
export function cutPage(text: string, page: number, pageChars: number): string {
  return text.slice(borderAfter(text, page - 1, pageChars), borderAfter(text, page, pageChars));
}

export function pageOf(text: string, at: number, pageChars: number): number {
  const around = Math.floor(at / pageChars) + 1;
  // A page may end a little before its round number.
  return at >= borderAfter(text, around, pageChars) ? around + 1 : around;
}

function borderAfter(text: string, page: number, pageChars: number): number {
  const at = page * pageChars;
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const newline = text.lastIndexOf('\n', at - 1);
  return newline >= at - pageChars / 4 ? newline + 1 : safeBorder(text, at);
}

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
