import type { TokenizerAndRendererExtension } from 'marked';

export interface MathToken {
  readonly type: 'math';
  readonly raw: string;
  readonly tex: string;
  /** On lines of its own. */
  readonly display: boolean;
}

/**
 * TeX between `$…$`, `$$…$$`, `\(…\)` or `\[…\]`. Single dollars are mostly prices: what stands between them
 * must look like mathematics, touch both of them, and not be followed by a digit.
 */
export const mathBlock: TokenizerAndRendererExtension = {
  name: 'math',
  level: 'block',
  start: (text) => at(text, /\$\$|\\\[/),
  tokenizer: (text) => tokenOf(/^ {0,3}(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])[ \t]*(?:\n|$)/.exec(text), true),
  renderer: () => false,
};

export const mathInline: TokenizerAndRendererExtension = {
  name: 'math',
  level: 'inline',
  start: (text) => at(text, /\$|\\[([]/),
  tokenizer: (text) =>
    tokenOf(/^(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])/.exec(text), true) ??
    tokenOf(/^\\\(([^]+?)\\\)/.exec(text), false) ??
    tokenOf(/^\$(?!\s)((?:\\[^\n]|[^$\\\n])+?)(?<!\s)\$(?!\d)/.exec(text), false, LOOKS_LIKE_MATH),
  renderer: () => false,
};

/** A command, an index, an operator between names, or a single name. */
const LOOKS_LIKE_MATH = /[\\^_=<>{}]|[a-z)]\s*[-+*/]|^[a-z]'?$/i;

function tokenOf(match: RegExpExecArray | null, display: boolean, fits = /\S/): MathToken | undefined {
  const tex = match?.slice(1).find((group) => group !== undefined);
  if (!match || tex === undefined || tex.length > CHARS_MAX || !fits.test(tex)) return undefined;
  return { type: 'math', raw: match[0], tex: tex.trim(), display };
}

/** No formula is longer; without a bound, one unclosed sign would take the rest of an answer. */
const CHARS_MAX = 4_000;

function at(text: string, sign: RegExp): number | undefined {
  const found = text.search(sign);
  return found < 0 ? undefined : found;
}
