import { ExactNumber } from './exact-number.ts';
import { type Finding, findKnown, holdsKnown, isSurelyClean } from './find-known.ts';
import { isObject } from './json.ts';
import { KnownValues } from './known-values.ts';
import { type Limits, limits as defaultLimits } from './limits.ts';
import { Secret } from './secret.ts';
import { HIDDEN, namesSecret } from './secret-names.ts';

/** Takes secrets out of everything that leaves the hub: by field name and by known value. */
export interface Redactor {
  /** Hides this value from now on, in every usual encoding. Short values are left alone. */
  learn(value: string): void;
  /** Words that stay readable even if a secret is the same: names of servers, hosts, commands. */
  spare(words: ReadonlySet<string>): void;
  redactText(text: string): string;
  mentions(text: string): boolean;
  /** A copy without secrets; the same value when there is nothing to hide. */
  redactValue<T>(value: T): T;
  /** The same for known values alone: nothing is hidden by its name. */
  redactKnown<T>(value: T): T;
  /** Whether the JSON of a value shows that `redactKnown` would change nothing; false when in doubt. */
  isSurelyClean(json: string): boolean;
}

export function createRedactor(limits: Limits = defaultLimits): Redactor {
  const known = new KnownValues(limits);
  const finding: Finding = { known, limits };
  const redactText = (text: string): string => hideMarked(hideKnown(text, finding));
  return {
    learn: (value) => known.learn(value),
    redactText,
    spare: (words) => known.spare(words),
    mentions: (text) => holdsKnown(text, finding),
    // The copy has the same shape: only texts differ. Nearly everything is clean, and looking is much
    // cheaper than copying.
    redactValue: <T>(value: T): T =>
      mayHide(value, finding, 0) ? (redactDeep(value, { redactText, finding, depth: 0 }) as T) : value,
    // Only texts, keys and numbers differ.
    redactKnown: <T>(value: T): T =>
      holdsKnownWithin(value, finding) ? (hideKnownWithin(value, finding) as T) : value,
    isSurelyClean: (json) => isSurelyClean(json, finding),
  };
}

/** Hides unknown values beside their name. Patterns have bounded gaps, so that no text makes them slow. */
function hideMarked(text: string): string {
  let shown = text;
  // Most texts lack the characters that every pattern needs.
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

/** A placeholder, or a text that is hidden already. */
function isReference(text: string): boolean {
  return text.startsWith('${') || text.startsWith(HIDDEN.slice(0, -1));
}

/** Whether there could be anything to hide; says yes when in doubt. */
function mayHide(value: unknown, looking: Finding, depth: number): boolean {
  if (typeof value === 'string') return textMayHide(value, looking);
  if (typeof value !== 'object' || value === null || isLeaf(value)) return false;
  if (depth >= looking.limits.redactedDepthMax || value instanceof Error) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (mayHide(item, looking, depth + 1)) return true;
    return splitIn(value, looking);
  }
  for (const key in value) {
    if (textMayHide(key, looking)) return true;
    const field = (value as Record<string, unknown>)[key]; // any object can be read by its keys
    if (typeof field === 'number' || typeof field === 'boolean') continue;
    if (isSecretField(key) || mayHide(field, looking, depth + 1)) return true;
  }
  return false;
}

function isLeaf(value: object): boolean {
  return value instanceof Secret || value instanceof ExactNumber;
}

function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

function textMayHide(text: string, looking: Finding): boolean {
  if (text.length < CHARS_TO_HIDE_MIN) return false;
  return (
    holdsKnown(text, looking) ||
    ((text.includes('=') || text.includes('"')) && text.search(NAMED) >= 0) ||
    (text.includes(' ') && text.search(SCHEME) >= 0) ||
    (text.includes('@') && text.search(USERINFO) >= 0)
  );
}

/** No pattern fits a shorter text: `//:x@` is the shortest that one does. */
const CHARS_TO_HIDE_MIN = 5;

interface Deep {
  readonly redactText: (text: string) => string;
  readonly finding: Finding;
  readonly depth: number;
}

function redactDeep(value: unknown, deep: Deep): unknown {
  if (typeof value === 'string') return deep.redactText(value);
  if (typeof value !== 'object' || value === null || value instanceof Secret) return value;
  if (deep.depth >= deep.finding.limits.redactedDepthMax) return '[too deep]';
  const inner = { ...deep, depth: deep.depth + 1 };
  if (value instanceof Error) return redactError(value, inner);
  if (Array.isArray(value)) {
    const redacted = value.map((item) => redactDeep(item, inner));
    const items = hideSplit(redacted, deep.finding);
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

/** Not fields of ours and of the protocols that are named like a secret but hold a kind, name or address. */
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

function hideKnown(text: string, finding: Finding): string {
  let shown = '';
  let from = 0;
  for (const span of findKnown(text, finding)) {
    shown += text.slice(from, span.from) + HIDDEN;
    from = span.to;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** Whether a value holds known values anywhere: in its texts, keys and numbers. */
function holdsKnownWithin(
  value: unknown,
  finding: Finding,
  charsMin: number = finding.known.charsMin,
): boolean {
  // Most texts are keys and words, too short for any value.
  if (typeof value === 'string') return value.length >= charsMin && holdsKnown(value, finding);
  if (isNumber(value)) return holdsKnown(String(value), finding);
  if (Array.isArray(value)) {
    for (const item of value) if (holdsKnownWithin(item, finding, charsMin)) return true;
    return splitIn(value, finding);
  }
  if (!isObject(value)) return false;
  for (const key in value) {
    if (key.length >= charsMin && holdsKnown(key, finding)) return true;
    if (holdsKnownWithin(value[key], finding, charsMin)) return true;
  }
  return false;
}

function hideKnownWithin(value: unknown, finding: Finding): unknown {
  if (typeof value === 'string') return hideKnown(value, finding);
  if (isNumber(value)) return holdsKnown(String(value), finding) ? HIDDEN : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => hideKnownWithin(item, finding));
    return hideSplit(items, finding);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [hideKnown(key, finding), hideKnownWithin(field, finding)]),
  );
}

/** Whether a value is split over consecutive texts of a list. */
function splitIn(items: readonly unknown[], finding: Finding): boolean {
  if (items.length < 2) return false;
  const texts = items.flatMap((item) => textIn(item) ?? []);
  return texts.length > 1 && holdsKnown(texts.join('\n'), finding);
}

/** Lines of a log, blocks of a result: a value split over two of them is hidden in both. */
function hideSplit(items: readonly unknown[], finding: Finding): readonly unknown[] {
  if (!splitIn(items, finding)) return items;
  const spans = findKnown(items.flatMap((item) => textIn(item) ?? []).join('\n'), finding);
  let start = 0;
  return items.map((item) => {
    const text = textIn(item);
    if (text === undefined) return item;
    const [begin, end] = [start, start + text.length];
    start = end + 1;
    let shown = '';
    let from = begin;
    for (const span of spans.filter((each) => each.from < end && each.to > begin)) {
      shown += text.slice(from - begin, Math.max(span.from, begin) - begin) + HIDDEN;
      from = Math.min(span.to, end);
    }
    return from === begin ? item : withText(item, shown + text.slice(from - begin));
  });
}

function textIn(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  return isObject(item) && typeof item['text'] === 'string' ? item['text'] : undefined;
}

function withText(item: unknown, text: string): unknown {
  return isObject(item) ? { ...item, text } : text;
}
