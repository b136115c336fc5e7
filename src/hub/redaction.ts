import { isDeepStrictEqual } from 'node:util';
import { isCommonWord } from '../base/common-words.ts';
import { isObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import { secretsIn } from './secrets-in.ts';

export interface Redaction extends Redactor {
  /** Hides only what is surely a secret of ours: for texts of servers that must otherwise stay, such as schemas. */
  readonly redactForeign: <T>(value: T) => T;
  /** The same, faster for what is long and nearly always clean: the definition of a tool. */
  readonly redactDefinition: <T extends object>(definition: T) => T;
  /** Names, hosts, paths and tools stay readable as long as their owner has them. */
  readonly keepReadable: (whose: string, words: readonly string[]) => void;
}

/** The hub's own environment holds secrets too: the key of the vault, the password of the database. */
export function openRedaction(
  limits: Limits,
  env: Readonly<Record<string, string | undefined>> = {},
): Redaction {
  const all = createRedactor(limits);
  const sure = new ForeignTexts(limits);
  const learn = (value: string): void => {
    for (const secret of secretsIn(value)) {
      if (isCommonWord(secret)) continue;
      all.learn(secret);
      if (isUnmistakable(secret)) sure.learn(secret);
    }
  };
  learn(env['PLUG_MASTER_KEY']?.trim() ?? '');
  learn(passwordIn(env['PLUG_DATABASE_URL'] ?? ''));
  const readable = new Map<string, readonly string[]>();
  const keepReadable = (whose: string, words: readonly string[]): void => {
    const before = readable.get(whose) ?? [];
    if (isDeepStrictEqual(before, words)) return;
    if (words.length === 0) readable.delete(whose);
    else readable.set(whose, words);
    const spared = new Set([...readable.values()].flatMap((each) => each.map((word) => word.toLowerCase())));
    all.spare(spared);
    sure.spare(spared);
  };
  return {
    ...all,
    learn,
    keepReadable,
    redactForeign: (value) => sure.redact(value),
    redactDefinition: (definition) => sure.redactDefinition(definition),
  };
}

/** Tools are listed often and seldom change: what was clean stays so until a new secret is known. */
class ForeignTexts {
  readonly #redactor: Redactor;
  readonly #secretsMax: number;
  readonly #secrets = new Set<string>();
  #clean = new WeakSet<object>();

  constructor(limits: Limits) {
    this.#redactor = createRedactor(limits);
    this.#secretsMax = limits.redactedValuesMax;
  }

  spare(words: ReadonlySet<string>): void {
    this.#redactor.spare(words);
    this.#clean = new WeakSet();
  }

  learn(secret: string): void {
    this.#redactor.learn(secret);
    if (this.#secrets.has(secret)) return;
    if (this.#secrets.size >= this.#secretsMax) this.#secrets.clear();
    this.#secrets.add(secret);
    this.#clean = new WeakSet();
  }

  redact<T>(value: T): T {
    if (this.#secrets.size === 0) return value;
    const kept = typeof value === 'object' && value !== null ? value : undefined;
    if (kept && this.#clean.has(kept)) return value;
    const shown = this.#redactor.redactKnown(value);
    if (kept && shown === value) this.#clean.add(kept);
    return shown;
  }

  redactDefinition<T extends object>(definition: T): T {
    if (this.#secrets.size === 0 || this.#clean.has(definition)) return definition;
    if (!this.#redactor.isSurelyClean(JSON.stringify(definition))) return this.redact(definition);
    this.#clean.add(definition);
    return definition;
  }
}

/** A password such as “postgres” is also a word that schemas need: there it is left alone. */
function isUnmistakable(secret: string): boolean {
  return secret.length >= 16 || (secret.length >= 8 && /\d/.test(secret) && /[A-Za-z]/.test(secret));
}

function passwordIn(url: string): string {
  if (!URL.canParse(url)) return '';
  const { password } = new URL(url);
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** Keeps server names and words of our own types: a password “postgres” must not rename the server “postgres”. */
export function redactAnswer<T>(value: T, redactor: Redactor, isName: (text: string) => boolean): T {
  const shown = redactor.redactValue(value);
  return shown === value ? value : (restore(value, shown, { isName, key: '' }) as T); // the same shape
}

function restore(
  before: unknown,
  after: unknown,
  place: { readonly isName: (text: string) => boolean; readonly key: string },
): unknown {
  if (before === after) return before;
  if (typeof before === 'string') {
    const isWord = WORD_FIELDS.test(place.key) && /^[a-z][a-z_-]{0,19}$/.test(before);
    return isWord || place.isName(before) ? before : after;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.map((item: unknown, index) => restore(before[index], item, place));
  }
  if (!isObject(before) || !isObject(after)) return after;
  const keys = Object.keys(before);
  return Object.fromEntries(
    Object.entries(after).map(([shownKey, item], index) => {
      const key = keys[index] ?? shownKey;
      return [place.isName(key) ? key : shownKey, restore(before[key], item, { ...place, key })];
    }),
  );
}

/** Fields whose values are words of our own types. */
const WORD_FIELDS = /^(?:kind|code|owner|transport|era|overall|storage|auth|outcome|scope|cause|state)$/;
