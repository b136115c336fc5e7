import {
  isBlank,
  textOf,
  textsOf,
  valueOf,
  type FieldSpec,
  type FieldValue,
  type FieldValues,
} from './field-spec.ts';

/** What is wrong, by the id of the field; empty when the form can be sent. */
export type Problems = Readonly<Record<string, string>>;

export function problemsIn(fields: readonly FieldSpec[], values: FieldValues): Problems {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemWith(field, valueOf(field, values));
      return problem === undefined ? [] : [[field.id, problem]];
    }),
  );
}

/** One short sentence for whoever fills it in. */
function problemWith(field: FieldSpec, value: FieldValue | undefined): string | undefined {
  if (isBlank(value)) return field.required ? EMPTY[field.kind] : undefined;
  const text = textOf(value);
  switch (field.kind) {
    case 'number':
      return problemWithNumber(field, text);
    case 'text':
    case 'long-text':
    case 'secret':
      return problemWithLength(field, text) ?? problemWithFormat(field, text);
    case 'choice':
      return field.choices?.some((choice) => choice.value === text) ? undefined : 'Choose one of these.';
    case 'choices':
    case 'list':
      return problemWithCount(field, textsOf(value).filter((one) => one !== '').length);
    case 'json':
      return problemWithJson(text);
    case 'file':
    case 'boolean':
      break;
  }
  return undefined;
}

const EMPTY: Readonly<Record<FieldSpec['kind'], string>> = {
  text: 'Fill this in.',
  'long-text': 'Fill this in.',
  secret: 'Paste it here.',
  number: 'Type a number.',
  boolean: 'Choose yes or no.',
  choice: 'Choose one.',
  choices: 'Choose at least one.',
  file: 'Type a path.',
  list: 'Add at least one.',
  json: 'Type a JSON value.',
};

function problemWithNumber({ min, max, integer = false }: FieldSpec, text: string): string | undefined {
  const number = Number(text);
  if (!Number.isFinite(number) || text.trim() === '') return 'Enter a number.';
  if (integer && !Number.isInteger(number)) return 'Use a whole number.';
  if (min !== undefined && number < min) return `At least ${min}.`;
  if (max !== undefined && number > max) return `At most ${max}.`;
  return undefined;
}

function problemWithLength({ min, max }: FieldSpec, text: string): string | undefined {
  if (min !== undefined && text.length < min) return `At least ${min} characters; these are ${text.length}.`;
  if (max !== undefined && text.length > max) return `At most ${max} characters; these are ${text.length}.`;
  return undefined;
}

function problemWithFormat({ format }: FieldSpec, text: string): string | undefined {
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) return 'Enter an email address.';
  if (format === 'uri' && !URL.canParse(text)) return 'Enter a URL such as https://example.com.';
  if ((format === 'date' || format === 'date-time') && Number.isNaN(Date.parse(text))) return 'Enter a date.';
  return undefined;
}

function problemWithCount({ min, max }: FieldSpec, count: number): string | undefined {
  if (min !== undefined && count < min) return `At least ${min}; these are ${count}.`;
  if (max !== undefined && count > max) return `At most ${max}; these are ${count}.`;
  return undefined;
}

function problemWithJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `This is not JSON yet: ${why.slice(0, 200)}`;
  }
}
