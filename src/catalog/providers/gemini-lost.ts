import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { GEMINI_FORMATS } from './provider-limits.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Rules that the Gemini API has no keyword for, and that a model can follow when it is told. */
const TOLD: ReadonlySet<string> = new Set([
  'multipleOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
]);

/** What a schema says beyond the keywords that are kept, in a few words. */
export function lostWords(schema: Schema, type: string): readonly string[] {
  const told = Object.entries(schema).filter(([key, value]) => isLost(key, value, type));
  if (told.length === 0) return [];
  const text = JSON.stringify(Object.fromEntries(told));
  const cut = text.length > limits.lostRuleCharsMax ? `${text.slice(0, limits.lostRuleCharsMax)}…` : text;
  return [`Rules: ${cut}`];
}

function isLost(key: string, value: unknown, type: string): boolean {
  switch (key) {
    case 'format':
      return !(GEMINI_FORMATS[type] ?? []).includes(String(value));
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return !(type === 'integer' && Number.isInteger(value));
    case 'enum':
      return type !== 'string' || (Array.isArray(value) && value.some((each) => typeof each !== 'string'));
    case 'const':
      return type !== 'string' || typeof value !== 'string' || value === '';
    case 'additionalProperties':
      return isObject(value);
    default:
      return TOLD.has(key);
  }
}
