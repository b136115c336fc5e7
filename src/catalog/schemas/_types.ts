/** The seven types of JSON Schema. */
export const TYPES: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/** What other languages call them; undefined stands for “anything goes”. */
const FOREIGN: ReadonlyMap<string, string | undefined> = new Map([
  ['any', undefined],
  ['unknown', undefined],
  ['mixed', undefined],
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['set', 'array'],
  ['none', 'null'],
  ['nil', 'null'],
]);

/** The JSON type that a name means; `any` when it means none in particular, undefined if unknown. */
export function typeNamed(name: string): string | undefined {
  if (TYPES.has(name)) return name;
  const lower = name.toLowerCase();
  if (TYPES.has(lower)) return lower;
  return FOREIGN.has(lower) ? (FOREIGN.get(lower) ?? 'any') : undefined;
}

/** Whether a value is of one of these JSON types. */
export function isOfType(value: unknown, types: string | readonly unknown[]): boolean {
  return typeof types === 'string' ? isOf(value, types) : types.some((type) => isOf(value, type));
}

function isOf(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
