import { isObject } from '../../base/json.ts';
import { unseen } from '../../base/unseen-characters.ts';
import { withoutHidden } from '../hidden-text.ts';
import { typescriptLimits as limits } from './limits.ts';

function stringLiteral(text: string): string {
  return JSON.stringify(text).replaceAll(unseen(), (found) =>
    Array.from({ length: found.length }, (_, at) => {
      const code = found.charCodeAt(at).toString(16).padStart(4, '0');
      return `\\u${code}`;
    }).join(''),
  );
}

export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= limits.literalCharsMax
    ? name
    : stringLiteral(name);
}

/** Undefined when the type says it better. */
export function valueType(value: unknown, depth = 0): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'string')
    return value.length <= limits.literalCharsMax ? stringLiteral(value) : undefined;
  if (depth === limits.literalDepthMax) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => valueType(item, depth + 1));
    return tooMany(items) ? undefined : `[${items.join(', ')}]`;
  }
  if (!isObject(value)) return undefined;
  const fields = Object.entries(value).map(([key, field]) => {
    const type = valueType(field, depth + 1);
    return type === undefined ? undefined : `${propertyKey(key)}: ${type}`;
  });
  return tooMany(fields) ? undefined : fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

/** On one line; the text can't end it. */
export function comment(text: string): string {
  return `/** ${oneLine(text).replaceAll(/\*(?=\/)/g, '* ')} */`;
}

export function words(text: string, charsMax: number): string {
  return cut(oneLine(text.slice(0, charsMax * 4)), charsMax);
}

export function firstSentence(text: string, charsMax: number): string {
  const read = oneLine(text.slice(0, limits.descriptionCharsRead));
  const [, sentence = read] = /^(.{12,}?[.!?])\s+(?=\p{Lu})/u.exec(read) ?? [];
  return cut(sentence, charsMax);
}

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  // Not inside a surrogate pair.
  return `${text
    .slice(0, charsMax - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

function oneLine(text: string): string {
  return withoutHidden(text).toWellFormed().replaceAll(/\s+/g, ' ').trim();
}

function tooMany(items: readonly (string | undefined)[]): boolean {
  return items.length > limits.literalsMax || items.includes(undefined);
}

export interface TypeText {
  readonly text: string;
  /** Only an atom takes `[]` and combines without parentheses. */
  readonly kind: 'atom' | 'union' | 'intersection';
}

export function atom(text: string): TypeText {
  return { text, kind: 'atom' };
}

export const UNKNOWN: TypeText = atom('unknown');

/** `unknown` absorbs the rest. */
export function unionOf(types: readonly TypeText[]): TypeText {
  if (types.some(({ text }) => text === 'unknown')) return UNKNOWN;
  return join(types, ' | ', 'union') ?? atom('never');
}

/** `unknown` adds nothing. */
export function intersectionOf(types: readonly TypeText[]): TypeText {
  const telling = types.filter(({ text }) => text !== 'unknown');
  return join(telling, ' & ', 'intersection') ?? UNKNOWN;
}

export function arrayOf(item: TypeText): TypeText {
  return atom(`${asAtom(item)}[]`);
}

function join(types: readonly TypeText[], separator: string, kind: 'union' | 'intersection') {
  const unique = new Map(types.map((type) => [type.text, type]));
  const [first, ...others] = unique.values();
  if (first === undefined || others.length === 0) return first;
  const texts = [first, ...others].map((type) => (type.kind === kind ? type.text : asAtom(type)));
  return { text: texts.join(separator), kind };
}

function asAtom({ text, kind }: TypeText): string {
  return kind === 'atom' ? text : `(${text})`;
}
