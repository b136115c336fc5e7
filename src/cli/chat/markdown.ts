import type { Piece } from '../output.ts';

/** Which words of an answer stand out. It only ever adds a style: not a character is taken away. */
export class Markdown {
  #bold = false;
  #code = false;
  #heading = false;
  #fence = false;

  /** Between ``` marks, where lines are not wrapped. */
  get inFence(): boolean {
    return this.#fence;
  }

  /** Marks hold until the end of their line at most, so that a stray one does little. */
  endLine(): void {
    this.#bold = false;
    this.#code = false;
    this.#heading = false;
  }

  piecesOf(word: string, first: boolean): readonly Piece[] {
    if (first && word.startsWith('```')) {
      this.#fence = !this.#fence;
      return [{ style: 'faint', text: word }];
    }
    if (this.#fence) return [word];
    if (first && /^#{1,6}$/.test(word)) this.#heading = true;
    const parts = word.split(/(\*\*|`)/);
    return parts
      .flatMap((part, index) => this.#styled(part, parts[index + 1] ?? ''))
      .filter((piece) => piece !== '');
  }

  #styled(part: string, after: string): readonly Piece[] {
    const wasStrong = this.#isStrong();
    if (part === '`') this.#code = !this.#code;
    // An opening mark touches its word: `2 ** 3` is arithmetic.
    else if (part === '**' && !this.#code) this.#bold = this.#bold ? false : after !== '';
    return [wasStrong || this.#isStrong() ? { style: 'strong', text: part } : part];
  }

  #isStrong(): boolean {
    return this.#bold || this.#code || this.#heading;
  }
}
