/**
 * The same text without the wrapping that a call may have put around it: URL-encoding, base64
 * (both alphabets) and hex, also one inside the other. Other encodings are not looked through.
 */
export function decodings(text: string): readonly string[] {
  const once = unwrap(text);
  return once.length === 0 ? once : [...once, ...once.flatMap(unwrap)].slice(0, FORMS_MAX);
}

const FORMS_MAX = 32;
const WORDS_MAX = 16;
/** A larger word is taken to be encoded from its first letter on. */
const SHIFTED_CHARS_MAX = 64 * 1024;

function unwrap(text: string): readonly string[] {
  const forms: string[] = [];
  if (/%[\da-f]{2}/i.test(text)) forms.push(percentDecoded(text));
  let words = 0;
  for (const [word] of text.matchAll(/[\w+/-]{16,}/g)) {
    if (words === WORDS_MAX) break;
    words += 1;
    const decoded = decodedWord(word);
    if (decoded !== '') forms.push(decoded);
  }
  return forms;
}

/** Piece by piece, as one bad escape must not hide the rest. */
function percentDecoded(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(%[\da-f]{2})+/gi, (found) =>
      Buffer.from(found.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}

/** Whatever was glued before it, such as the path of an address, moves where the groups of four begin. */
function decodedWord(word: string): string {
  if (/^([\da-f]{2})+$/i.test(word)) return readable(Buffer.from(word, 'hex'));
  const shifts = word.length > SHIFTED_CHARS_MAX ? 1 : 4;
  for (let shift = 0; shift < shifts; shift += 1) {
    const text = readable(Buffer.from(word.slice(shift), 'base64'));
    if (text !== '') return text;
  }
  return '';
}

/** An ordinary word decodes to noise; only what reads as a text was one. */
function readable(bytes: Buffer): string {
  return (bytes.toString('utf8').match(READABLE) ?? []).join('\n');
}

const READABLE = /[^\p{Cc}\p{Cn}\p{Co}\ufffd][^\ufffd\p{Co}]{10,}[^\p{Cc}\p{Cn}\p{Co}\ufffd]/gu;
