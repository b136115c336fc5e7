import { chatLimits } from './limits.ts';

type Typed = { readonly kind: 'keys' | 'paste'; readonly text: string };

/** Tells what was pasted from what was typed; a mark may come in pieces. */
export class PasteFilter {
  #held = '';
  #pasted: string | undefined;

  take(chunk: string): readonly Typed[] {
    const found: Typed[] = [];
    let text = this.#held + chunk;
    this.#held = '';
    while (text !== '') {
      const mark = this.#pasted === undefined ? BEGIN : END;
      const at = text.indexOf(mark);
      const before = at >= 0 ? text.slice(0, at) : text.slice(0, text.length - beginningOf(mark, text));
      if (this.#pasted === undefined) {
        if (before !== '') found.push({ kind: 'keys', text: before });
      } else this.#pasted = (this.#pasted + before).slice(0, chatLimits.pasteChars);
      if (at < 0) {
        this.#held = text.slice(before.length);
        break;
      }
      if (this.#pasted === undefined) this.#pasted = '';
      else {
        found.push({ kind: 'paste', text: this.#pasted });
        this.#pasted = undefined;
      }
      text = text.slice(at + mark.length);
    }
    // A bare Esc is a key of its own; only what has more of a mark than that waits for its rest.
    if (this.#pasted === undefined && this.#held === '\u001b') {
      found.push({ kind: 'keys', text: this.#held });
      this.#held = '';
    }
    return found;
  }
}

const BEGIN = '\u001b[200~';
const END = '\u001b[201~';

/** Makes the terminal mark what is pasted. */
export const MARK_PASTES = '\u001b[?2004h';
export const MARK_NO_PASTES = '\u001b[?2004l';

/** How many characters at the end of the text may be the beginning of the mark. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
