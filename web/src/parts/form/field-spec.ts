/** One thing that a form asks for. Forms of plans, of tools and of servers' questions become these. */
export interface FieldSpec {
  /** Of its own in the form; the key of its value. */
  readonly id: string;
  readonly label: string;
  readonly kind:
    | 'text'
    | 'long-text'
    | 'secret'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'choices'
    | 'file'
    | 'list'
    | 'json';
  readonly required: boolean;
  readonly description?: string;
  readonly placeholder?: string;
  /** What is there, and shown, if nothing is typed. */
  readonly preset?: FieldValue;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** The values of the choices are JSON rather than texts: `1`, `true`, `"a"`. */
  readonly jsonChoices?: boolean;
  /** For text: what a value must be. Only shown: an expression of a server's does not run here. */
  readonly pattern?: string;
  /** Of a number, its bounds; of a text, its length; of a list, how many. */
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  /** There is a value already, which is not shown: blank keeps it. */
  readonly kept?: boolean;
  /** For a list: each item is a path of a file or folder. */
  readonly paths?: boolean;
  /** The path is that of a folder. */
  readonly folder?: boolean;
  /** For a secret: it may stay in a file or a password manager, and only the way to it is kept. */
  readonly elsewhere?: boolean;
}

export type FieldValue = string | number | boolean | readonly string[];

export type FieldValues = Readonly<Record<string, FieldValue>>;

/** As many choices can be shown at once; more go into a menu. */
export const RADIOS_MAX = 4;

/** What a field holds now: what was given, else what it comes with. */
export function valueOf(field: FieldSpec, values: FieldValues): FieldValue | undefined {
  return Object.hasOwn(values, field.id) ? values[field.id] : field.preset;
}

export function isBlank(value: FieldValue | undefined): boolean {
  return (
    value === undefined || value === '' || (typeof value === 'object' && value.every((one) => one === ''))
  );
}

/** One or several values as one text. */
export function textOf(value: FieldValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join('\n') : String(value);
}

/** One or several values as several texts. */
export function textsOf(value: FieldValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value : [String(value)];
}
