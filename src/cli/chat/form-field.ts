import { defined } from '../../base/defined.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** A field of a server's form, read from the little JSON Schema that the protocol allows there. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'text' | 'number' | 'integer' | 'yes-no' | 'choice' | 'choices';
  readonly required: boolean;
  /** Looks like a secret: it is typed unseen, and nothing is suggested for it. */
  readonly secret: boolean;
  readonly preset?: Json;
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  readonly schema: JsonObject;
}

export function fieldsOf(requestedSchema: unknown): readonly FormField[] {
  const schema = isObject(requestedSchema) ? requestedSchema : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = listIn(schema['required']);
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isObject(property) ? (property as JsonObject) : {}, required.includes(name)),
  ); // what a server sends is JSON
}

export function readField(field: FormField, typed: string): FieldRead {
  const text = typed.trim();
  switch (field.kind) {
    case 'yes-no':
      if (/^(y|yes|true)$/i.test(text)) return { value: true };
      return /^(n|no|false)$/i.test(text) ? { value: false } : { problem: 'Type y or n.' };
    case 'number':
    case 'integer':
      return readNumber(field, text);
    case 'choice': {
      const value = choiceOf(field, text);
      return value === undefined
        ? { problem: `Type a number from 1 to ${field.choices.length}.` }
        : { value };
    }
    case 'choices': {
      const found = text.split(',').map((part) => choiceOf(field, part.trim()));
      if (found.includes(undefined)) return { problem: 'Type numbers with commas, such as 1,3.' };
      const value = [...new Set(found.filter((one) => one !== undefined))];
      return within(field, value.length, 'Items', (most, count) => `Choose ${most} ${count}.`) ?? { value };
    }
    case 'text':
    default:
      return readText(field, typed);
  }
}

type FieldRead = { readonly value: Json } | { readonly problem: string };

function within(
  { schema }: FormField,
  size: number,
  what: 'Items' | 'Length' | 'imum',
  words: (most: 'at least' | 'at most', count: number) => string,
): { readonly problem: string } | undefined {
  const { [`min${what}`]: min, [`max${what}`]: max } = schema;
  if (typeof min === 'number' && size < min) return { problem: words('at least', min) };
  if (typeof max === 'number' && size > max) return { problem: words('at most', max) };
  return undefined;
}

function fieldOf(name: string, schema: JsonObject, required: boolean): FormField {
  const items = isObject(schema['items']) ? schema['items'] : undefined;
  const choices = choicesIn(schema['type'] === 'array' && items ? items : schema);
  const title = textIn(schema['title']) || name;
  const secret = SECRET.test(`${name} ${title}`) || schema['format'] === 'password';
  const preset = secret ? undefined : schema['default'];
  const description = textIn(schema['description']);
  const kind = kindOf(schema, choices.length > 0);
  return { name, title, description, kind, required, secret, choices, schema, ...defined({ preset }) };
}

const SECRET =
  /passw(or)?d|passphrase|secret|token|api[-_ ]?key|private[-_ ]?key|credential|\bpin\b|\bcvv?\b/i;

function kindOf({ type }: JsonObject, hasChoices: boolean): FormField['kind'] {
  if (type === 'array') return 'choices';
  if (hasChoices) return 'choice';
  if (type === 'boolean') return 'yes-no';
  return type === 'number' || type === 'integer' ? type : 'text';
}

function choicesIn(schema: JsonObject): FormField['choices'] {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  const choice = (value: unknown, title: unknown): FormField['choices'] =>
    typeof value === 'string' ? [{ value, title: textIn(title) || value }] : [];
  if (Array.isArray(titled))
    return listIn(titled).flatMap((one) => (isObject(one) ? choice(one['const'], one['title']) : []));
  const names = listIn(schema['enumNames']);
  return listIn(schema['enum']).flatMap((value, index) => choice(value, names[index]));
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function choiceOf({ choices }: FormField, text: string): string | undefined {
  const exact = choices.find(
    ({ value, title }) => value === text || title.toLowerCase() === text.toLowerCase(),
  );
  return (exact ?? (/^\d{1,4}$/.test(text) ? choices[Number(text) - 1] : undefined))?.value;
}

function readNumber(field: FormField, text: string): FieldRead {
  const value = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return { problem: 'Type a number.' };
  if (field.kind === 'integer' && !Number.isInteger(value)) return { problem: 'Type a whole number.' };
  return within(field, value, 'imum', (most, count) => `It is ${most} ${count}.`) ?? { value };
}

function readText(field: FormField, value: string): FieldRead {
  const length = Array.from(value).length;
  const outside = within(field, length, 'Length', (most, count) => `It has ${most} ${count} characters.`);
  if (outside) return outside;
  const { format } = field.schema;
  const wanted = typeof format === 'string' ? FORMATS[format] : undefined;
  return wanted && !wanted.fits(value) ? { problem: wanted.problem } : { value };
}

const FORMATS: Readonly<
  Record<string, { readonly fits: (text: string) => boolean; readonly problem: string }>
> = {
  email: {
    fits: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text),
    problem: 'Type an e-mail address, such as me@example.com.',
  },
  uri: { fits: (text) => URL.canParse(text), problem: 'Type an address, such as https://example.com.' },
  date: { fits: isDate, problem: 'Type a date, such as 2026-12-01.' },
  'date-time': {
    fits: (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
    problem: 'Type a moment, such as 2026-12-01T18:00:00Z.',
  },
};

/** A day that the calendar has: 30 February would become another one. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
