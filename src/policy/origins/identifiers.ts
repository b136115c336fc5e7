/**
 * Mail addresses, ids, keys and account numbers of eight or more letters and digits: a mail address,
 * letters with at least four digits, or at least nine digits. Dates, versions, sizes and names of standards
 * are excluded.
 */
export function identifiers(
  text: string,
  onIdentifier: (hash: number, check: number, from: number, to: number) => void,
): void {
  let from = -1;
  let digits = 0;
  let letters = 0;
  let at = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const kind = index < text.length ? kindOf(text.charCodeAt(index)) : BETWEEN;
    if (kind !== BETWEEN) {
      if (from === -1) from = index;
      if (kind === DIGIT) digits += 1;
      else if (kind === LETTER) letters += 1;
      else if (kind === AT) at = index;
      continue;
    }
    if (from === -1) continue;
    const likely = digits + letters >= LETTERS_MIN && index - from <= CHARS_MAX;
    if (likely && (at > from || (digits >= 4 && letters >= 2) || digits >= 9)) {
      const word = text.slice(from, index).toLowerCase();
      if (at > from ? MAIL.test(word) : !ORDINARY.test(word)) tell(word, from, index, onIdentifier);
    }
    from = -1;
    digits = 0;
    letters = 0;
    at = 0;
  }
}

const LETTERS_MIN = 8;
/** Longer ones have fingerprints as texts. */
const CHARS_MAX = 256;

const BETWEEN = 0;
const LETTER = 1;
const DIGIT = 2;
const AT = 3;
const INSIDE = 4;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  if (character === '@') return AT;
  return '._-+'.includes(character) ? INSIDE : BETWEEN;
});

function kindOf(code: number): number {
  return code < 128 ? (KINDS[code] ?? BETWEEN) : BETWEEN;
}

const MAIL = /^[\w.+-]+@[\w-]+\.[\w.-]+$/;

const ORDINARY = new RegExp(
  [
    String.raw`^\d{4}[-.]?\d\d[-.]?\d\d([t_-].*)?$`, // dates
    String.raw`^\d\d[-.]\d\d[-.]\d{4}$`,
    String.raw`^(1[4-9]|2[0-2])\d{8}(\d{3})?$`, // seconds or milliseconds since 1970
    String.raw`^[a-z_-]*\d{1,4}([._-]\d{1,4})+([._-]?[a-z]+\d*)*$`, // versions, addresses of networks
    String.raw`^[a-z._-]+[._-]?(19|20)\d\d$`, // report-2026
    String.raw`^\d+[x-]\d+[a-z]*$`, // sizes and ranges
    String.raw`^\d+[a-z]{1,3}$`, // 1024px
    String.raw`^(iso|utf|rfc|sha|aes|rsa|ieee|ansi|din|win|linux|darwin|windows|localhost|x86|amd|arm)[\d._-]`,
  ].join('|'),
);

function tell(
  word: string,
  from: number,
  to: number,
  onIdentifier: (hash: number, check: number, from: number, to: number) => void,
): void {
  let hash = 0x81_1c_9d_c5;
  let check = 0x1f_35_6a_9b;
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    const kind = kindOf(code);
    if (kind === INSIDE) continue; // PROJ-1234 and PROJ1234 are one
    hash = Math.imul(hash ^ code, 0x01_00_01_93);
    check = Math.imul(check + code, 0x2c_1b_3c_6d) ^ (check >>> 13);
  }
  onIdentifier((hash ^ (hash >>> 15)) >>> 0, check >>> 0, from, to);
}
