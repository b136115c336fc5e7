/** An immediate estimate without a vocabulary, about a tenth too high on real definitions. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let kind: Kind = SPACE;
  for (let at = 0; at < text.length; at += 1) {
    const now = kindOf(text.charCodeAt(at));
    if (now !== kind) {
      tokens += costOf(kind, run);
      run = 0;
    }
    kind = now;
    run += 1;
  }
  return Math.ceil(tokens + costOf(kind, run));
}

type Kind = typeof SPACE | typeof LETTER | typeof DIGIT | typeof SIGN | typeof OTHER;
const SPACE = 0;
const LETTER = 1;
const DIGIT = 2;
const SIGN = 3;
const OTHER = 4;

function kindOf(code: number): Kind {
  if (code === 32) return SPACE;
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code > 127 ? OTHER : SIGN;
}

/** A space belongs to the next word; signs in a row share a token. */
function costOf(kind: Kind, chars: number): number {
  switch (kind) {
    case SPACE:
      return chars > 1 ? 1 : 0;
    case LETTER:
      return Math.ceil(chars / 8);
    case DIGIT:
      return Math.ceil(chars / 3);
    case SIGN:
      return chars === 1 ? 0.95 : 0.5 + 0.25 * chars;
    case OTHER:
      break;
  }
  return chars * 0.9;
}
