import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';

export function wrong(field: string, expected: string, found?: unknown): never {
  const instead = found === undefined ? '' : `, not ${kindOf(found)}`;
  throw new PlugError('bad_config', `“${field}” must be ${expected}${instead}.`, {
    owner: 'you',
    details: { field, expected },
  });
}

export function checkText(value: unknown, path: string, charsMax?: number): string {
  if (typeof value !== 'string' || value.trim() === '') return wrong(path, 'a text that is not empty', value);
  if (charsMax !== undefined && value.length > charsMax) return wrong(path, `at most ${charsMax} characters`);
  return withoutNul(value, path);
}

export function checkFlag(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : wrong(path, 'true or false', value);
}

export function checkOneOf<T extends string>(value: unknown, path: string, allowed: readonly T[]): T {
  return (
    allowed.find((candidate) => candidate === value) ?? wrong(path, `one of ${allowed.join(', ')}`, value)
  );
}

export function checkTexts(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) return wrong(path, 'a list of texts, ["…", "…"]', value);
  return value.map((item: unknown, index) => plainText(item, `${path}[${index}]`));
}

/** YAML turns `PORT: 8080` into a number, and people write numbers in JSON: as texts they mean the same. */
export function plainText(value: unknown, path: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? withoutNul(value, path) : wrong(path, 'a text in quotes', value);
}

export function checkAmount(value: unknown, path: string, max: number): number {
  if (typeof value !== 'number' || !(value > 0)) return wrong(path, 'a number above 0', value);
  return value > max ? wrong(path, `at most ${max}`) : value;
}

export function checkObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : wrong(path, 'an object, {"name": …}', value);
}

/** Whether `__proto__` occurs at any depth. */
export function holdsPrototypeName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototypeName);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, inner]) => key === '__proto__' || holdsPrototypeName(inner));
}

function withoutNul(value: string, path: string): string {
  return value.includes('\0') ? wrong(path, 'free of NUL characters') : value;
}

/** Values aren't repeated: one may be a key in the wrong field. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'this text';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? `the number ${value}` : 'an object';
}
