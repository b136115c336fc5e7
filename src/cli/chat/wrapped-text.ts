import { faint, strong, type Piece } from '../output.ts';
import { sanitize } from '../sanitize.ts';
import { textWidth } from '../render/text.ts';
import { chatLimits } from './limits.ts';

export interface WrappedTextOptions {
  readonly write: (...pieces: readonly Piece[]) => void;
  readonly newLine: () => void;
  readonly width: () => number;
  readonly markdown: boolean;
}

/** Wraps streamed text. A word is cleaned whole: no half character or escape sequence gets out. */
export class WrappedText {
  readonly #options: WrappedTextOptions;
  readonly #markdown = new Markdown();
  #held = '';
  #blanks = '';
  #column = 0;

  constructor(options: WrappedTextOptions) {
    this.#options = options;
  }

  get column(): number {
    return this.#column;
  }

  add(text: string): void {
    const tokens = (this.#held + text).match(TOKENS) ?? [];
    const last = tokens.at(-1) ?? '';
    const isOpen = !/^(\n|[ \t]+)$/.test(last) && textWidth(last) < chatLimits.wordColumns;
    this.#held = isOpen ? last : '';
    const whole = isOpen ? tokens.slice(0, -1) : tokens;
    whole.forEach((token, index) => this.#token(token, whole[index + 1]));
  }

  flush(): void {
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#token(held, undefined);
    this.#blanks = '';
  }

  endLine(): void {
    this.flush();
    if (this.#column > 0) this.#newLine();
  }

  #token(token: string, next: string | undefined): void {
    if (token === '\n') {
      this.#blanks = '';
      this.#newLine();
      this.#markdown.endLine();
    } else if (/^[ \t]+$/.test(token)) this.#blanks += token;
    else this.#word(sanitize(next === '\n' ? token.replace(/\r$/, '') : token));
  }

  #word(word: string): void {
    const width = this.#options.width();
    // After a resize the terminal has wrapped the line by itself.
    if (this.#column >= width) this.#column %= width;
    const blanks = this.#blanks.replaceAll('\t', '    ');
    this.#blanks = '';
    const needed = this.#column + blanks.length + textWidth(word);
    const style = this.#markdown.piecesOf(word, this.#column === 0);
    // A line that fills the last column leaves the cursor between two lines.
    if (this.#column > 0 && needed >= width && !this.#markdown.inFence) this.#newLine();
    else if (blanks !== '') this.#put(blanks);
    for (const piece of this.#options.markdown ? style : [word]) this.#put(piece);
  }

  #put(piece: Piece): void {
    this.#options.write(piece);
    this.#column += textWidth(typeof piece === 'string' ? piece : piece.text);
  }

  #newLine(): void {
    this.#options.newLine();
    this.#column = 0;
  }
}

/** Line ends, blanks, words; in scripts without blanks each character is a word. */
const TOKENS =
  /\n|[ \t]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\p{M}\p{Cf}]*|[^\n \t\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/** Which words of an answer stand out. It only ever adds a style: not a character is taken away. */
class Markdown {
  #bold = false;
  #code = false;
  #heading = false;
  #fence = false;

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
      return [faint(word)];
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
    return [wasStrong || this.#isStrong() ? strong(part) : part];
  }

  #isStrong(): boolean {
    return this.#bold || this.#code || this.#heading;
  }
}
