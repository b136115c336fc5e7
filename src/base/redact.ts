import { isObject } from './json.ts';
import { KnownValues } from './known-values.ts';
import { limits as defaultLimits, type Limits } from './limits.ts';
import { Secret } from './secret.ts';
import { namesSecret } from './secret-names.ts';

export const HIDDEN = '[secret]';

/** Takes secrets out of whatever leaves the hub: by what a field is called, and by known value. */
export interface Redactor {
  /** From now on this value is hidden, in every usual encoding. Short values are left alone. */
  learn(value: string): void;
  redactText(text: string): string;
  /** Whether a known value stands in this text. */
  mentions(text: string): boolean;
  /** A copy without secrets; the very same value when there was nothing to hide. */
  redactValue<T>(value: T): T;
  /** For a text that comes in pieces: a secret that two pieces share is hidden too. */
  stream(): RedactedStream;
}

export interface RedactedStream {
  /** What can be shown so far. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}

export function createRedactor(limits: Limits = defaultLimits): Redactor {
  const known = new KnownValues(limits);
  const redactText = (text: string): string => hideMarked(hideKnown(known, text));
  return {
    learn: (value) => known.learn(value),
    redactText,
    mentions: (text) => known.next(text, 0) !== undefined,
    // The copy has the shape of the value: only texts in it differ. Nearly everything is clean, and
    // looking is much cheaper than copying.
    redactValue: <T>(value: T): T =>
      mayHide(value, { known, limits }, 0)
        ? (redactDeep(value, { redactText, limits, depth: 0 }) as T)
        : value,
    stream: () => new PiecewiseText(known),
  };
}

function hideKnown(known: KnownValues, text: string): string {
  if (known.size === 0) return text;
  let shown = '';
  let from = 0;
  for (let hit = known.next(text, 0); hit; hit = known.next(text, hit.to)) {
    shown += text.slice(from, hit.from) + HIDDEN;
    from = hit.to;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/**
 * Values that nobody told us about, but that stand beside their name. Each pattern begins with
 * fixed letters and has bounded gaps, so that no text can make it slow.
 */
function hideMarked(text: string): string {
  let shown = text;
  // Most texts have none of the signs without which no pattern fits.
  if (shown.includes('=') || shown.includes('"')) {
    shown = shown.replaceAll(NAMED, (whole, lead: string, value: string) =>
      isReference(value) ? whole : lead + HIDDEN,
    );
  }
  if (shown.includes(' ')) {
    shown = shown.replaceAll(SCHEME, (whole, lead: string, value: string) =>
      value.length >= 24 || /\d/.test(value) ? lead + HIDDEN : whole,
    );
  }
  return shown.includes('@') ? shown.replaceAll(USERINFO, `$1${HIDDEN}@`) : shown;
}

const NAMED =
  /((?:token|secret|passwd|password|passphrase|api[_-]?key|access[_-]?key|authorization)(?:=|\\?"\s?:\s?\\?"))([^\s"'\\&,;<>)\]}]{6,})/gi;
const SCHEME = /(\b(?:bearer|basic) {1,3})([\w.~+/=-]{8,})/gi;
const USERINFO = /(\/\/[^\s/@:]{0,64}:)[^\s/@]{1,256}@/g;

/** A placeholder names a secret without being one; so does a text that is hidden already. */
function isReference(text: string): boolean {
  return text.startsWith('${') || text.startsWith(HIDDEN.slice(0, -1));
}

interface Looking {
  readonly known: KnownValues;
  readonly limits: Limits;
}

/** Whether there could be anything to hide; says yes when in doubt. */
function mayHide(value: unknown, looking: Looking, depth: number): boolean {
  if (typeof value === 'string') return textMayHide(value, looking);
  if (typeof value !== 'object' || value === null || value instanceof Secret) return false;
  if (depth >= looking.limits.redactedDepthMax || value instanceof Error) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (mayHide(item, looking, depth + 1)) return true;
    return false;
  }
  for (const key in value) {
    if (textMayHide(key, looking)) return true;
    const field = (value as Record<string, unknown>)[key]; // any object can be read by its keys
    if (typeof field === 'number' || typeof field === 'boolean') continue;
    if (isSecretField(key) || mayHide(field, looking, depth + 1)) return true;
  }
  return false;
}

function textMayHide(text: string, { known }: Looking): boolean {
  if (text.length < CHARS_TO_HIDE_MIN) return known.next(text, 0) !== undefined;
  return (
    known.next(text, 0) !== undefined ||
    ((text.includes('=') || text.includes('"')) && text.search(NAMED) >= 0) ||
    (text.includes(' ') && text.search(SCHEME) >= 0) ||
    (text.includes('@') && text.search(USERINFO) >= 0)
  );
}

/** No pattern fits a shorter text: `//:x@` is the shortest that one does. */
const CHARS_TO_HIDE_MIN = 5;

interface Deep {
  readonly redactText: (text: string) => string;
  readonly limits: Limits;
  readonly depth: number;
}

function redactDeep(value: unknown, deep: Deep): unknown {
  if (typeof value === 'string') return deep.redactText(value);
  if (typeof value !== 'object' || value === null || value instanceof Secret) return value;
  if (deep.depth >= deep.limits.redactedDepthMax) return '[too deep]';
  const inner = { ...deep, depth: deep.depth + 1 };
  if (value instanceof Error) return redactError(value, inner);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactDeep(item, inner));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isObject(value) ? redactFields(value, inner) : value;
}

function redactFields(value: Record<string, unknown>, deep: Deep): unknown {
  let changed = false;
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => {
    const shown = isSecretField(key) ? redactNamed(field, deep) : redactDeep(field, deep);
    const shownKey = deep.redactText(key);
    changed ||= shown !== field || shownKey !== key;
    return [shownKey, shown];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Fields of ours and of the protocols that are called like a secret, but hold a kind, a name or an address. */
function isSecretField(key: string): boolean {
  if (!namesSecret(key) || STRUCTURAL.has(key)) return false;
  return !ABOUT_A_SECRET.test(key.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
}

const STRUCTURAL: ReadonlySet<string> = new Set(['auth', 'key', 'keys', 'secrets', 'tokens', 'credentials']);
const ABOUT_A_SECRET =
  /[_-](ids?|ur[li]s?|names?|endpoint|types?|kinds?|fields?|file|path|count|at|in|max|methods?|source)([_-]supported)?$/i;

/** Numbers stay: `tokens: 1200` is a count. */
function redactNamed(value: unknown, deep: Deep): unknown {
  if (typeof value === 'string') return hidesNothing(value) ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((item) => redactNamed(item, deep));
  return redactDeep(value, deep);
}

/** `Bearer ${vault:x}` says where a secret comes from, which people need to see. */
function hidesNothing(text: string): boolean {
  return /^(bearer|basic|token)?\s*$/i.test(text.replaceAll(/\$\{[^{}]*\}/g, ''));
}

function redactError(error: Error, deep: Deep): unknown {
  const { name, message, stack = '', cause, ...rest } = error;
  return {
    name,
    message: deep.redactText(message),
    stack: deep.redactText(stack),
    ...(cause === undefined ? {} : { cause: redactDeep(cause, deep) }),
    ...(redactDeep(rest, deep) as object), // a copy of an object is an object
  };
}

class PiecewiseText implements RedactedStream {
  readonly #known: KnownValues;
  #held = '';

  constructor(known: KnownValues) {
    this.#known = known;
  }

  push(piece: string): string {
    const text = this.#held + piece;
    // Whatever begins before this place cannot reach beyond the end of the text.
    const sure = text.length - Math.max(this.#known.longest - 1, 0);
    let shown = '';
    let from = 0;
    for (let hit = this.#known.next(text, 0); hit && hit.from < sure; hit = this.#known.next(text, hit.to)) {
      shown += text.slice(from, hit.from) + HIDDEN;
      from = hit.to;
    }
    const until = Math.max(from, sure, 0);
    this.#held = text.slice(until);
    return shown + text.slice(from, until);
  }

  end(): string {
    const rest = hideKnown(this.#known, this.#held);
    this.#held = '';
    return rest;
  }
}
