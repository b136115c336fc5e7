/**
 * What a text looks like, in plain letters: two texts with the same looks are easily taken for each
 * other. Letters of other alphabets that have no twin among ours stay as they are.
 */
export function looksOf(text: string): string {
  const folded = foldLetters(text)
    .replaceAll(/[Ii1|]/g, 'l')
    .replaceAll('0', 'o')
    .toLowerCase();
  return plainOf(folded).replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** The same name in another way of writing words: readFile, read-file, read_file. */
export function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[_\-.\s]+/g, '');
}

/** Letters of other alphabets, letters with accents and styled letters become the ASCII ones they look like. */
export function foldLetters(text: string): string {
  // Chinese, Japanese and Korean have no twins of our letters, and are long to normalize.
  if (!MAY_HAVE_TWINS.test(text)) return text;
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]/gu, (letter) => TWINS.get(letter) ?? letter);
}

/** Whether a text pretends to be written in our letters: by some of another alphabet among ours, or by twins alone. */
export function isDisguised(text: string): boolean {
  if (ASCII_ONLY.test(text)) return false;
  const folded = foldLetters(text);
  const isReadable = ASCII_ONLY.test(folded);
  return isReadable ? !ACCENTED_LATIN.test(text.normalize('NFC')) : MIXABLE.test(text) && /[a-z]/i.test(text);
}

const ASCII_ONLY = /^[ -~]*$/;
const MAY_HAVE_TWINS =
  /[\u00aa-\u1fff\u2010-\u2015\u2024\u2044\u2100-\u218f\u2212-\u2223\u2460-\u24ff\u2c60-\u2dff\ua4d0-\uabff\ufb00-\ufb06\uff10-\uff5a\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]/u;
/** “café” is a word, not a disguise. */
const ACCENTED_LATIN = /^[ -~\u00c0-\u024f\u1e00-\u1eff]*$/;
/** Alphabets with many twins; Chinese or Japanese beside Latin letters is ordinary. */
const MIXABLE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/** Twins that normalization does not know: the letter of ours, then those that look like it. */
const TWINS: ReadonlyMap<string, string> = new Map(
  [
    'aаαɑ',
    'bЬ',
    'cсϲⅽ',
    'dԁɗ',
    'eеҽ',
    'fƒſ',
    'gɡց',
    'hһհ',
    'iіıιɩ',
    'jјϳ',
    'kκк',
    'lӏǀ∣ⅼ',
    'mм',
    'nոп',
    'oоοօøᴏ',
    'pрρ',
    'qԛգ',
    'rгᴦ',
    'sѕꜱ',
    'tтτ',
    'uυսᴜ',
    'vνѵᴠ',
    'wԝѡաᴡ',
    'xхχ',
    'yуүγ',
    'zᴢ',
    'AАΑᎪ',
    'BВΒᏴ',
    'CСϹᏟ',
    'DᎠ',
    'EЕΕᎬ',
    'FϜ',
    'GԌᏀ',
    'HНΗᎻ',
    'IІΙӀ',
    'JЈᎫ',
    'KКΚᏦ',
    'LᏞ',
    'MМΜᎷ',
    'NΝ',
    'OОΟՕØ',
    'PРΡᏢ',
    'SЅՏᏚ',
    'TТΤᎢ',
    'VѴᏙ',
    'WԜᎳ',
    'XХΧ',
    'YҮΥ',
    'ZΖᏃ',
    '-‐‑‒–—−',
    '_ˍ',
    '/⁄∕',
    '.․',
    ':׃ː',
  ].flatMap((row) => {
    const [letter = '', ...twins] = row;
    return twins.map((twin): [string, string] => [twin, letter]);
  }),
);
