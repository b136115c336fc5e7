export interface Decodings {
  readonly forms: readonly string[];
  readonly complete: boolean;
}

/** Undoes URL encoding, escapes, base64 and hex, also nested. Other encodings are not handled. */
export function decodings(text: string): Decodings {
  let layer = unwrap(text);
  if (layer.length === 0) return PLAIN;
  const forms = [...layer];
  let room = CHARS_FREE + text.length * GROWTH_MAX;
  for (let depth = 1; layer.length > 0; depth += 1) {
    for (const form of layer) room -= form.length;
    if (depth === LAYERS_MAX || room < 0) return { forms, complete: false };
    layer = layer.flatMap(unwrap);
    forms.push(...layer);
  }
  return { forms, complete: true };
}

const PLAIN: Decodings = { forms: [], complete: true };
/** More layers are there to hide something. */
const LAYERS_MAX = 5;
const GROWTH_MAX = 8;
const CHARS_FREE = 64 * 1024;
const ENCODED_MIN = 16;

function unwrap(text: string): readonly string[] {
  const forms: string[] = [];
  if (text.length < ENCODED_MIN && !text.includes('%')) return forms;
  if (ESCAPES.test(text)) forms.push(unescaped(text));
  const { base64, hex } = lettersOf(text);
  if (base64.length >= ENCODED_MIN) add(forms, decoded(base64, 'base64', 4));
  if (hex.length >= ENCODED_MIN) add(forms, decoded(hex, 'hex', 2));
  return forms;
}

function add(forms: string[], form: string): void {
  if (form !== '') forms.push(form);
}

/** A prefix shifts the groups: all offsets are tried. */
function decoded(letters: string, encoding: 'base64' | 'hex', shifts: number): string {
  let found = '';
  for (let shift = 0; shift < shifts; shift += 1) {
    const group = shift === 0 ? letters : letters.slice(shift);
    const whole = encoding === 'hex' && group.length % 2 === 1 ? group.slice(0, -1) : group;
    found += readable(Buffer.from(whole, encoding));
  }
  return found;
}

const ESCAPES = /%[\da-f]{2}|\\u[\da-f]{4}|&#x?[\da-f]{1,6};/i;

/** Piece by piece: one bad escape must not hide the rest. */
function unescaped(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(%[\da-f]{2})+/gi, (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString('utf8'))
    .replaceAll(/\\u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll(/&#(x?)([\da-f]{1,6});/gi, (found, x: string, digits: string) => {
      const code = Number.parseInt(digits, x === '' ? 10 : 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : found;
    });
}

/** The characters of both alphabets, in order, without anything between them. */
function lettersOf(text: string): { readonly base64: string; readonly hex: string } {
  if (room.length < text.length * 2) room = Buffer.allocUnsafe(text.length * 2);
  const half = text.length;
  let base64 = 0;
  let hex = half;
  for (let index = 0; index < half; index += 1) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? (KINDS[code] ?? 0) : 0;
    if (kind === 0) continue;
    room[base64] = code;
    base64 += 1;
    if (kind === BASE64) continue;
    // Skips the 0 of 0x.
    if (code === ZERO && (text.charCodeAt(index + 1) | 0x20) === X) continue;
    room[hex] = code;
    hex += 1;
  }
  return { base64: room.toString('latin1', 0, base64), hex: room.toString('latin1', half, hex) };
}

let room = Buffer.allocUnsafe(8_192);

const BASE64 = 1;
const HEX = 2;
const ZERO = 48;
const X = 120;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\da-f]/i.test(character)) return HEX;
  return /[\w+/-]/.test(character) ? BASE64 : 0;
});

/** Ordinary words decode to noise; only readable text counts. */
function readable(bytes: Uint8Array): string {
  const { length } = bytes;
  let found = '';
  let from = 0;
  let letters = 0;
  let at = 0;
  while (at < length) {
    const width = WIDTHS[bytes[at] ?? 0] ?? 0;
    if (width === 1) {
      letters += 1;
      at += 1;
    } else if (width === NUL || (width > 1 && isWhole(bytes, at, width))) {
      if (width !== NUL) letters += 1;
      at += width === NUL ? 1 : width;
    } else {
      if (letters >= LETTERS_MIN) found += `${decodedText(bytes, from, at)}\n`;
      at += 1;
      from = at;
      letters = 0;
    }
  }
  return letters >= LETTERS_MIN ? found + decodedText(bytes, from, at) : found;
}

const LETTERS_MIN = 12;
/** UTF-16 has zeros between its letters. */
const NUL = 5;

/** Bytes of a character by its first byte; 0: not text. */
const WIDTHS = Uint8Array.from({ length: 256 }, (_, first) => {
  if (first === 0) return NUL;
  if (first < 0x80) return (first >= 0x20 && first !== 0x7f) || [9, 10, 13].includes(first) ? 1 : 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
});

function isWhole(bytes: Uint8Array, at: number, width: number): boolean {
  for (let next = 1; next < width; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return false;
  return true;
}

function decodedText(bytes: Uint8Array, from: number, to: number): string {
  return new TextDecoder().decode(bytes.subarray(from, to)).replaceAll('\0', '');
}
