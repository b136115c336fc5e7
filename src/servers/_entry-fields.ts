import { isObject, type JsonObject } from '../base/json.ts';
import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';

/** Reads the fields of one entry; those never taken are unknown. A wrong field fails this entry alone. */
export class EntryFields {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #prefix: string;
  readonly #taken = new Set<string>();

  constructor(raw: Readonly<Record<string, unknown>>, prefix = '') {
    this.#raw = raw;
    this.#prefix = prefix;
  }

  take(field: string): unknown {
    this.#taken.add(field);
    return this.peek(field);
  }

  peek(field: string): unknown {
    return Object.hasOwn(this.#raw, field) ? this.#raw[field] : undefined;
  }

  text(field: string, charsMax: number = limits.configBytesMax): string | undefined {
    const value = this.take(field);
    if (value === undefined) return undefined;
    const path = this.#prefix + field;
    if (typeof value !== 'string' || value.trim() === '')
      return wrong(path, 'a text that is not empty', value);
    if (value.length > charsMax) return wrong(path, `at most ${charsMax} characters`);
    return checkText(value, path);
  }

  flag(field: string): boolean | undefined {
    const value = this.take(field);
    if (value === undefined || typeof value === 'boolean') return value;
    return wrong(this.#prefix + field, 'true or false', value);
  }

  oneOf<T extends string>(field: string, allowed: readonly T[]): T | undefined {
    const value = this.take(field);
    const found = allowed.find((candidate) => candidate === value);
    if (value !== undefined && found === undefined)
      return wrong(this.#prefix + field, `one of ${allowed.join(', ')}`, value);
    return found;
  }

  amount(field: string, max: number): number | undefined {
    const value = this.take(field);
    return value === undefined ? undefined : checkAmount(value, this.#prefix + field, max);
  }

  texts(field: string): readonly string[] | undefined {
    const value = this.take(field);
    return value === undefined ? undefined : checkTexts(value, this.#prefix + field);
  }

  object(field: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.take(field);
    if (value === undefined || isObject(value)) return value;
    return wrong(this.#prefix + field, 'an object, {"name": …}', value);
  }

  record(field: string): Readonly<Record<string, string>> | undefined {
    const value = this.object(field);
    if (value === undefined) return undefined;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const path = `${this.#prefix}${field}.${key}`;
        if (typeof item !== 'string') return wrong(path, 'a text in quotes', item);
        return [key, checkText(item, path)];
      }),
    );
  }

  /** Fields that were never taken. */
  rest(): JsonObject {
    // Parsed from JSON text.
    return Object.fromEntries(
      Object.entries(this.#raw).filter(([field]) => !this.#taken.has(field)),
    ) as JsonObject;
  }
}

export function wrong(field: string, expected: string, found?: unknown): never {
  const instead = found === undefined ? '' : `, not ${kindOf(found)}`;
  throw new PlugError('bad_config', `“${field}” must be ${expected}${instead}.`, {
    owner: 'you',
    details: { field, expected },
  });
}

export function checkTexts(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) return wrong(path, 'a list of texts, ["…", "…"]', value);
  return value.map((item: unknown, index) => {
    if (typeof item !== 'string') return wrong(`${path}[${index}]`, 'a text in quotes', item);
    return checkText(item, `${path}[${index}]`);
  });
}

export function checkAmount(value: unknown, path: string, max: number): number {
  if (typeof value !== 'number' || !(value > 0)) return wrong(path, 'a number above 0', value);
  return value > max ? wrong(path, `at most ${max}`) : value;
}

/** Whether `__proto__` occurs at any depth. */
export function holdsPrototypeName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototypeName);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, inner]) => key === '__proto__' || holdsPrototypeName(inner));
}

function checkText(value: string, path: string): string {
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
