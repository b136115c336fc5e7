import type { KnownNames } from './look-alike.ts';

/** A name that reads as if the tool belonged to another server, as in `github__create_issue`. */
export function findBorrowedName(name: string, server: string, others: KnownNames): string | undefined {
  const found = BORROWED.exec(name);
  const owner = found?.[1]?.toLowerCase();
  if (found === null || owner === undefined || owner === server || !others.hasServer(owner)) return undefined;
  // A dot also parts a thing from a verb, as in issues.list: it borrows only what the other one has.
  const isSure = found[2] !== '.' || others.ownersOf(name.slice(found[0].length)).includes(owner);
  return isSure ? `It is called as if it were a tool of the server ${owner}.` : undefined;
}

/** Orders about tools of other servers. That two servers have tools of one name is none. */
export function findShadowing(
  text: string,
  own: { readonly server: string; readonly tools: ReadonlySet<string> },
  others: KnownNames,
): string | undefined {
  for (const { word, index } of identifiersIn(text)) {
    if (own.tools.has(word)) continue;
    const owner = others.ownersOf(word).find((id) => id !== own.server);
    if (owner === undefined) continue;
    const around = text.slice(Math.max(0, index - NEAR_CHARS), index + word.length + NEAR_CHARS);
    if (ORDERS.test(around)) return `It gives orders about ${owner}/${word}, a tool of another server.`;
  }
  return undefined;
}

/** Words that can only be meant as names: with a dash, an underscore or a capital inside. */
function* identifiersIn(text: string): Iterable<{ readonly word: string; readonly index: number }> {
  let start = 0;
  let isName = false;
  for (let index = 0; index <= text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isLowerOrDigit(code)) continue;
    const isCapital = code >= 65 && code <= 90;
    if (isCapital || code === 95 || code === 45) {
      isName ||= index > start;
      continue;
    }
    if (isName && index - start <= NAME_CHARS_MAX) yield { word: text.slice(start, index), index: start };
    start = index + 1;
    isName = false;
  }
}

function isLowerOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

const BORROWED = /^(?:mcp(?:__|:))?([a-zA-Z0-9][a-zA-Z0-9-]{1,63}?(?:[._][a-zA-Z0-9-]{1,63}?)??)(__|[.:/])/;
const ORDERS =
  /\b(?:must|always|never|instead|before|after|when|whenever|do not|don['’]t|first|rather than|redirect|bcc|ignore|replace[sd]?)\b/i;
const NEAR_CHARS = 100;
const NAME_CHARS_MAX = 128;
