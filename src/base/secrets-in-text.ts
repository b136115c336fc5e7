import { namesSecret } from './secret-names.ts';
import { looksSecret } from './secret-shapes.ts';

/** Values in a text that may be keys, by their look and by what stands before them; the longest first. */
export function secretsInText(text: string): readonly string[] {
  return bareSecrets(secretsIn(text.slice(0, SEARCHED_CHARS_MAX)));
}

/** As a server takes them, and without references to keys that are elsewhere. */
export function bareSecrets(found: readonly string[]): readonly string[] {
  const values = found.flatMap(bare).filter((value) => !isReference(value));
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

/** Beyond them only a parser looks for keys. */
const SEARCHED_CHARS_MAX = 200_000;

function secretsIn(text: string): readonly string[] {
  const named = [...text.matchAll(NAMED), ...text.matchAll(FLAGGED)].flatMap(([, name = '', value = '']) =>
    namesSecret(name) ? [value] : [],
  );
  const told = [...text.matchAll(TOLD)].map(([, value = '']) => value);
  const blocks = [...text.matchAll(PRIVATE_KEY)].map(([block]) => block);
  const pieces = text.split(/[\s"'`“”,;{}()<>[\]|]+/).flatMap((word) => [word, ...word.split(/[/?&=#:@]+/)]);
  const isSpokenOf = KEY_WORD.test(text);
  return [
    ...named,
    ...told,
    ...blocks,
    ...pieces.filter((piece) => isKeyLike(piece) || (isSpokenOf && isMixed(piece))),
  ];
}

/** In a message that speaks of a password any word with digits in it may be one. */
const KEY_WORD = /\b(?:api ?key|keys?|tokens?|password|passphrase|passwort|secret|credentials?)\b/i;

function isMixed(piece: string): boolean {
  return (
    piece.length >= MIXED_CHARS_MIN && /\d/.test(piece) && /\p{Ll}/u.test(piece) && /\p{Lu}/u.test(piece)
  );
}

const MIXED_CHARS_MIN = 8;

/** `NAME=value`, `"name": "value"`, `Name: value`; every gap is bounded against slow matching. */
const NAMED = /([A-Za-z][\w.-]{0,80})["'`]?[ \t]{0,8}(?:=>|[=:])[ \t]{0,8}["'`]?([^\s"'`,;{}]{4,4096})/g;
/** `--api-key value`. */
const FLAGGED = /-{1,2}([A-Za-z][\w-]{0,60})[ \t]{1,4}["']?([^\s"'-][^\s"']{3,4096})/g;
/** “my key is …”, “the password for it: …”. */
const TOLD =
  /\b(?:keys?|tokens?|password|passphrase|passwd|secret|pat|pin|credentials?|bearer|basic)\b(?:[ \t]{1,3}\w{1,20}){0,4}?[ \t]{0,3}(?:[:=—–-]|\bis\b|\bwas\b)?[ \t]{1,3}["'“`]?((?=[^\s"'”`]{0,80}[\d_-])[^\s"'”`,;]{6,4096})/gi;
/** Its lines are base64, and the first dash ends them. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{16,65536}/g;

function isKeyLike(piece: string): boolean {
  if (piece.length < 16 || piece.length > KEY_CHARS_MAX) return false;
  if (UUID.test(piece) || looksSecret(piece)) return true;
  const runs = piece.match(/[A-Za-z0-9]{16,}/g) ?? [];
  return runs.some((run) => /[A-Za-z]/.test(run) && (run.match(/\d/g)?.length ?? 0) >= DIGITS_OF_A_KEY);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DIGITS_OF_A_KEY = 3;
const KEY_CHARS_MAX = 4_096;

function bare(value: string): readonly string[] {
  const trimmed = value.trim().replace(/[.!?]$/, '');
  const key = /^(?:bearer|basic|token|apikey)\s+(\S[^]*)$/i.exec(trimmed)?.[1];
  return key === undefined ? [trimmed] : [key, trimmed];
}

function isReference(value: string): boolean {
  return value === '' || /^\$?\{[^{}]*\}$/.test(value) || /^(?:bearer|basic|token|apikey)$/i.test(value);
}
