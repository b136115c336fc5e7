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
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isObject(property) ? (property as JsonObject) : {}, required.includes(name)),
  ); // what a server sends is JSON
}

export function readField(
  field: FormField,
  typed: string,
): { readonly value: Json } | { readonly problem: string } {
  const text = typed.trim();
  switch (field.kind) {
    case 'yes-no':
      if (/^(y|yes|true)$/i.test(text)) return { value: true };
      return /^(n|no|false)$/i.test(text) ? { value: false } : { problem: 'Type y or n.' };
    case 'number':
    case 'integer':
      return readNumber(field, text);
    case 'choice': {
      const found = choiceOf(field, text);
      return found === undefined
        ? { problem: `Type a number from 1 to ${field.choices.length}.` }
        : { value: found };
    }
    case 'choices': {
      const found = text.split(',').map((part) => choiceOf(field, part.trim()));
      if (found.includes(undefined)) return { problem: 'Type numbers with commas, such as 1,3.' };
      return withinCount(field, [...new Set(found.filter((one) => one !== undefined))]);
    }
    case 'text':
    default:
      return readText(field, typed);
  }
}

function fieldOf(name: string, schema: JsonObject, required: boolean): FormField {
  const items = isObject(schema['items']) ? schema['items'] : undefined;
  const choices = choicesIn(schema['type'] === 'array' && items ? items : schema);
  const title = textIn(schema['title']) || name;
  const secret = SECRET.test(`${name} ${title}`) || schema['format'] === 'password';
  const preset = schema['default'];
  return {
    name,
    title,
    description: textIn(schema['description']),
    kind: kindOf(schema, choices.length > 0),
    required,
    secret,
    ...(preset === undefined || secret ? {} : { preset }),
    choices,
    schema,
  };
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
  if (Array.isArray(titled)) {
    return (titled as readonly unknown[]).flatMap((one) =>
      isObject(one) && typeof one['const'] === 'string'
        ? [{ value: one['const'], title: textIn(one['title']) || one['const'] }]
        : [],
    );
  }
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : [];
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as readonly unknown[]) : [];
  return values.flatMap((value, index) =>
    typeof value === 'string' ? [{ value, title: textIn(names[index]) || value }] : [],
  );
}

function choiceOf({ choices }: FormField, text: string): string | undefined {
  const exact = choices.find(
    ({ value, title }) => value === text || title.toLowerCase() === text.toLowerCase(),
  );
  return (exact ?? (/^\d{1,4}$/.test(text) ? choices[Number(text) - 1] : undefined))?.value;
}

function readNumber(
  { kind, schema }: FormField,
  text: string,
): { readonly value: Json } | { readonly problem: string } {
  const value = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return { problem: 'Type a number.' };
  if (kind === 'integer' && !Number.isInteger(value)) return { problem: 'Type a whole number.' };
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && value < minimum) return { problem: `It is at least ${minimum}.` };
  if (typeof maximum === 'number' && value > maximum) return { problem: `It is at most ${maximum}.` };
  return { value };
}

function withinCount(
  { schema }: FormField,
  value: readonly string[],
): { readonly value: Json } | { readonly problem: string } {
  const { minItems, maxItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems)
    return { problem: `Choose at least ${minItems}.` };
  if (typeof maxItems === 'number' && value.length > maxItems)
    return { problem: `Choose at most ${maxItems}.` };
  return { value };
}

function readText(
  { schema }: FormField,
  text: string,
): { readonly value: Json } | { readonly problem: string } {
  const { minLength, maxLength, format } = schema;
  const length = Array.from(text).length;
  if (typeof minLength === 'number' && length < minLength)
    return { problem: `It has at least ${minLength} characters.` };
  if (typeof maxLength === 'number' && length > maxLength)
    return { problem: `It has at most ${maxLength} characters.` };
  const wanted = typeof format === 'string' ? FORMATS[format] : undefined;
  return wanted && !wanted.fits(text) ? { problem: wanted.problem } : { value: text };
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
