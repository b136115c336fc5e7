import { isObject } from '../../base/json.ts';
import { UNSEEN } from '../../base/unseen-characters.ts';
import { withoutHidden } from '../hidden-text.ts';
import { typescriptLimits as limits } from './limits.ts';

/** A string as TypeScript writes it; what cannot be seen is escaped. */
function stringLiteral(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, at) => {
      const code = found.charCodeAt(at).toString(16).padStart(4, '0');
      return `\\u${code}`;
    }).join(''),
  );
}

/** A property's name, in quotes where it has to be. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= limits.literalCharsMax
    ? name
    : stringLiteral(name);
}

/** The type of exactly this value; undefined for one that is better told by its type. */
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

/** A text of a server as a comment on one line, which it cannot end. */
export function comment(text: string): string {
  return `/** ${oneLine(text).replaceAll(/\*(?=\/)/g, '* ')} */`;
}

/** As much of a text as there is room for, on one line and without what nobody sees. */
export function words(text: string, charsMax: number): string {
  return cut(oneLine(text.slice(0, charsMax * 4)), charsMax);
}

/** The first sentence of a text, or as much of it as there is room for. */
export function firstSentence(text: string, charsMax: number): string {
  const read = oneLine(text.slice(0, limits.descriptionCharsRead));
  const [, sentence = read] = /^(.{12,}?[.!?])\s+(?=\p{Lu})/u.exec(read) ?? [];
  return cut(sentence, charsMax);
}

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  // Half a surrogate pair at the cut is dropped with it.
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
