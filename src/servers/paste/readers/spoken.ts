import type { PastedTransport } from '../paste.ts';

const CHARS_MAX = 20_000;

const TRANSPORTS: readonly (readonly [PastedTransport, RegExp])[] = [
  ['http', /\bstreamable[\s_-]*http\b|\bhttp[\s-]streaming\b|\bstreaming[\s-]http\b/i],
  ['sse', /\bSSE\b|\bserver[\s-]sent[\s-]events?\b/i],
  ['ws', /\bweb[\s-]?sockets?\b/i],
];

/** The one transport that a text names; several leave it open. */
export function spokenTransport(text: string): PastedTransport | undefined {
  // Words in an address say nothing about how it is spoken to.
  const start = text.slice(0, CHARS_MAX).replaceAll(/[a-z]+:\/\/\S+/gi, ' ');
  const named = TRANSPORTS.filter(([, pattern]) => pattern.test(start));
  return named.length === 1 ? named[0]?.[0] : undefined;
}

const MARK = '[`"\'*“”]{0,3}';
const NAME = String.raw`([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|Authorization|Authentication|Cookie|Token|apikey)`;
/** “the X-Api-Key header”, “a header named X-Api-Key”, “the header X-Api-Key”. */
const HEADER = new RegExp(
  `\\b(?:the|an?|im|in|den|der|Header|as|via|with|using)\\s+(?:HTTP[ -])?${MARK}${NAME}${MARK}[ -](?:request |HTTP )?(?:header|Header)` +
    `|\\bheaders?\\s+(?:named|called|is|:)?\\s*${MARK}${NAME}${MARK}(?=[\\s.,;)]|$)`,
  'i',
);
const BEARER =
  /\b(?:as|with|using|via|is|by|requires?|needs?|takes?)\s+(?:an?\s+|the\s+|your\s+)?\W{0,2}bearer(?:[ -](?:token|auth\w*|key))?\b|\bbearer[ -](?:token|auth\w*)\b/i;

/** A header that a sentence names, with a blank for its value in the words of that sentence. */
export function spokenHeaders(text: string): Readonly<Record<string, string>> {
  const start = text.slice(0, CHARS_MAX);
  const header = HEADER.exec(start);
  const bearer = BEARER.exec(start);
  const name = header?.[1] ?? header?.[2] ?? (bearer ? 'Authorization' : undefined);
  const at = header?.index ?? bearer?.index;
  if (name === undefined || at === undefined || /^content-/i.test(name)) return {};
  const isBearer = bearer !== null && /^authorization$/i.test(name);
  const sentence = sentenceAround(start, at).replaceAll(name, ' ');
  const blank = `<${valueIn(sentence) ?? (isBearer ? 'token' : name)}>`;
  return { [name]: isBearer ? `Bearer ${blank}` : blank };
}

function sentenceAround(text: string, at: number): string {
  const before = Math.max(text.lastIndexOf('. ', at) + 1, text.lastIndexOf('\n', at) + 1);
  const ends = [text.indexOf('. ', at), text.indexOf('\n', at)].filter((end) => end >= 0);
  return text.slice(before, Math.min(text.length, before + 600, ...ends));
}

const VALUE =
  /\b(your|my|an?|the|den|dem|das|einen|dein(?:en)?|ihr(?:en)?)\s+((?:(?!bearer\b)[A-Za-z]+[ -]){0,2}?(?:bearer[ -])?(?:api[ -]?(?:keys?|schlüssel)|schlüssel|access[ -]tokens?|keys?|tokens?|PAT|secret))\b/i;

/** “your key”, “a personal access token”. */
function valueIn(sentence: string): string | undefined {
  const [, whose = '', what = ''] = VALUE.exec(sentence) ?? [];
  if (what === '') return undefined;
  const plain = what.replace(/^bearer[ -]/i, '');
  return /^(?:your|my)$/i.test(whose) ? `${whose} ${plain}` : plain;
}
