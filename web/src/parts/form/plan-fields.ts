import type { FormField } from '../../../../src/servers/plans/plan.ts';
import { isBlank, valueOf, type FieldSpec, type FieldValue, type FieldValues } from './field-spec.ts';

/**
 * The form of an install plan, for the one form generator. A field that is required, and that the
 * plan does not need, has its value from what was pasted.
 */
export function fieldsOfPlan(form: readonly FormField[], needs?: readonly string[]): readonly FieldSpec[] {
  return form.map((field) => {
    const kept = needs && field.required && field.default === undefined && !needs.includes(field.id);
    return kept ? { ...fieldOfPlan(field), required: false, kept } : fieldOfPlan(field);
  });
}

function fieldOfPlan(field: FormField): FieldSpec {
  const { id, label, title = label, instead = [], placeholder, choices } = field;
  const preset = presetOf(field);
  const several = field.kind === 'files' || field.kind === 'folders' || field.many === true;
  // The hub says which are still missing when none of several was given.
  const required = field.required && instead.length === 0;
  const description =
    field.description ?? (instead.length > 0 ? 'This or the next one: one is enough.' : undefined);
  return {
    id,
    label: title,
    required,
    kind: several ? 'list' : KINDS[field.kind],
    ...(PATHS.has(field.kind) ? { paths: true } : {}),
    ...(field.kind === 'folder' || field.kind === 'folders' ? { folder: true } : {}),
    ...(field.kind === 'secret' ? { elsewhere: true } : {}),
    ...(description === undefined ? {} : { description }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(preset === undefined ? {} : { preset }),
    ...(choices === undefined ? {} : { choices: choices.map((value) => ({ value, label: value })) }),
  };
}

const PATHS: ReadonlySet<FormField['kind']> = new Set(['file', 'files', 'folder', 'folders']);

const KINDS = {
  text: 'text',
  secret: 'secret',
  file: 'file',
  files: 'list',
  folder: 'file',
  folders: 'list',
  choice: 'choice',
  boolean: 'boolean',
  number: 'number',
} as const satisfies Record<FormField['kind'], FieldSpec['kind']>;

function presetOf({ kind, many, default: preset }: FormField): FieldValue | undefined {
  if (preset === undefined) return undefined;
  if (kind === 'files' || kind === 'folders' || many === true) return [preset];
  return kind === 'boolean' ? preset === 'true' : preset;
}

/** What was filled in, as `install` takes it: nothing that is blank, and no blank item of a list. */
export function valuesOfPlan(fields: readonly FieldSpec[], values: FieldValues): FieldValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(field, values);
      if (value === undefined || isBlank(value)) return [];
      return [[field.id, typeof value === 'object' ? value.filter((one) => one !== '') : value]];
    }),
  );
}
