/** Why a JSON text is too deep or too wide to be parsed, or undefined when it is not. */
export function findShapeProblem(
  text: string,
  bounds: { readonly depthMax: number; readonly itemsMax: number },
): string | undefined {
  // Whatever is opened is closed: so short a text has neither the depth nor the width.
  if (text.length < 2 * bounds.depthMax && text.length < bounds.itemsMax) return undefined;
  let depth = 0;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      depth += 1;
      if (depth > bounds.depthMax) return `It is nested deeper than ${bounds.depthMax} levels.`;
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) depth -= 1;
    else if (char === COMMA) {
      items += 1;
      if (items >= bounds.itemsMax) return `It has more than ${bounds.itemsMax} values.`;
    }
  }
  return undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An unterminated string ends with the text; the parser will say so in its own words. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at += 1;
    else if (char === QUOTE) return at;
  }
  return text.length;
}
