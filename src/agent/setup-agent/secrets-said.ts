import { namesSecret } from '../../base/secret-names.ts';
import { literalSecretsIn } from '../../hub/secrets-in.ts';
import { looksSecret, mayBeSecret } from '../../servers/clients/secret-shapes.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { PastedServer } from '../../servers/paste/paste.ts';
import { setupLimits } from './limits.ts';
import { limits } from '../../base/limits.ts';
import { createRedactor, HIDDEN, type Redactor } from '../../base/redact.ts';
import type { Hub } from '../../hub/hub.ts';

/** Everything in a text that may be a secret. Too many is fine: only the model's copy is masked. */
export function secretsSaid(text: string): readonly string[] {
  const inConfig = parsePaste(text).servers.flatMap(secretsOf);
  const all = [...inConfig, ...secretsIn(text.slice(0, setupLimits.searchedCharsMax))];
  const values = all.flatMap(bare).filter((value) => !isReference(value));
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

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

/** Every variable and header: with a model listening we don't guess which ones are secret. */
function secretsOf(server: PastedServer): readonly string[] {
  const { env = {}, headers = {}, alt } = server;
  const pairs = [env, headers, alt?.headers ?? {}].flatMap((record) => Object.entries(record));
  const values = pairs.flatMap(([name, value]) => (namesSecret(name) || mayBeSecret(value) ? [value] : []));
  return [...values, ...literals(server)];
}

function literals(server: PastedServer): readonly string[] {
  try {
    return literalSecretsIn(definitionFrom(server, { source: { kind: 'manual' } }));
  } catch {
    return []; // no server after all: what looks like a key in it is found by its look
  }
}

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

/** Removes secrets from everything a model reads: those the person wrote, and the hub's own. */
export class Mask {
  readonly #redactor: Redactor = createRedactor();
  readonly #hub: Pick<Hub, 'secrets'>;
  readonly #short = new Map<string, readonly string[]>();
  readonly #withheld = new Set<string>();
  /** Too short to be looked for in every encoding. */
  readonly #words: string[] = [];

  constructor(hub: Pick<Hub, 'secrets'>, said: readonly string[]) {
    this.#hub = hub;
    for (const text of said) {
      const secrets = secretsSaid(text);
      if (secrets.length > setupLimits.secretsMax) this.#withheld.add(text);
      for (const secret of secrets.slice(0, setupLimits.secretsMax)) this.#redactor.learn(secret);
      // A value too short to redact everywhere is hidden in its own message.
      const isShort = ({ length }: string) => length >= SHORT_CHARS_MIN && length < limits.redactedCharsMin;
      this.#short.set(text, secrets.filter(isShort));
    }
  }

  /** A message of the person, also without secrets that only their position reveals. */
  said(text: string): string {
    if (this.#withheld.has(text)) return '[a text full of keys, which only the tools read]';
    const short = this.#short.get(text) ?? [];
    return this.hideSaid(short.reduce((sum, secret) => sum.replaceAll(secret, () => HIDDEN), text));
  }

  /** A word that only the question before it makes a key. */
  learn(key: string): void {
    this.#redactor.learn(key);
    if (key.length < limits.redactedCharsMin) this.#words.push(key);
  }

  async hide(text: string): Promise<string> {
    return (await this.hideAll([text])).get(text) ?? '';
  }

  async hideAll(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const hidden = await this.#hub.secrets.hide({ texts: texts.map((text) => this.hideSaid(text)) });
    return new Map(texts.map((text, index) => [text, hidden[index] ?? '']));
  }

  hideSaid(text: string): string {
    const shown = this.#redactor.redactText(text);
    return this.#words.reduce((sum, word) => sum.replaceAll(word, () => HIDDEN), shown);
  }
}

const SHORT_CHARS_MIN = 4;
