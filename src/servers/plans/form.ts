import type { PlanPart, FormField, InstallPlan, PlanText, PlanValue, PlanArgument } from './plan.ts';
import { fieldsOf } from './plan.ts';
import { defined } from '../../base/defined.ts';
import type { NamedInput, RegistryInput, RegistryArgument } from '../registry/entry.ts';
import { detectAuth } from './auth.ts';
import { titleOfName } from './needs.ts';
import { asksForSecret, namesFolder, surelySecret } from './secret-fields.ts';

type FieldPlace = Pick<FormField, 'id' | 'label' | 'where' | 'many'>;

/** Collects a plan's fields; a variable used twice is asked for once. */
export class Form {
  readonly #fields = new Map<string, FormField>();
  /** `{API_KEY}` in an argument means the variable of that name. */
  readonly #environment: ReadonlySet<string>;

  constructor(environment: readonly NamedInput[] = []) {
    this.#environment = new Set(
      environment.filter(({ value }) => value === undefined).map(({ name }) => name),
    );
  }

  complete(
    plan: Omit<InstallPlan, 'form' | 'auth' | 'steps'> & Partial<Pick<InstallPlan, 'steps'>>,
    at: 'local' | 'remote' = 'local',
  ): InstallPlan {
    const form = [...this.#fields.values()];
    return { steps: [], ...plan, form, auth: detectAuth(form, at) };
  }

  add(field: FormField): PlanText {
    const known = this.#fields.get(field.id);
    this.#fields.set(field.id, known ? { ...known, required: known.required || field.required } : field);
    return [{ field: field.id }];
  }

  value(input: NamedInput, where: 'env' | 'header'): PlanValue {
    const text = this.input(input, { id: `${where}:${input.name}`, label: input.name, where });
    return { name: input.name, text, optional: this.optional(text) };
  }

  input(input: RegistryInput, place: FieldPlace): PlanText {
    const { id, label, where } = place;
    const { value, ...asked } = input;
    if (value === undefined) return this.add(fieldOf(input, place));
    if (STAND_IN.test(value))
      return this.add(fieldOf({ ...asked, placeholder: value, required: true }, { id, label, where }));
    // In `Bearer {token}` of a secret header the variable is the secret.
    return this.template(value, { where, variables: input.variables, secret: input.secret, of: label });
  }

  /** Undeclared `{variables}` are required. */
  template(
    text: string,
    options: Pick<FieldPlace, 'where'> &
      Pick<RegistryInput, 'variables'> & { readonly secret?: boolean | undefined; readonly of?: string },
  ): PlanText {
    const { where, variables, secret, of = '' } = options;
    const parts: PlanPart[] = [];
    let from = 0;
    for (const match of text.matchAll(VARIABLE)) {
      const name = match[1] ?? match[2] ?? '';
      const declared = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (match.index > from) parts.push(text.slice(from, match.index));
      from = match.index + match[0].length;
      const same = declared ? undefined : this.#sameName(name);
      const input = declared ?? { required: true, format: 'string', variables: {} };
      if (same !== undefined) parts.push({ field: same });
      else if (input.value !== undefined) parts.push(input.value);
      else {
        const hidden = input.secret ?? (secret === true || asksForSecret(name) || asksForSecret(of));
        parts.push(
          ...this.add(fieldOf({ ...input, secret: hidden }, { id: `var:${name}`, label: name, where })),
        );
      }
    }
    if (from < text.length) parts.push(text.slice(from));
    return parts;
  }

  /** `{port}` means the argument `--port`, and `{KEY}` the variable KEY. */
  #sameName(name: string): string | undefined {
    if (this.#environment.has(name)) return `env:${name}`;
    return [`arg:--${name}`, `arg:-${name}`, `arg:${name}`].find((id) => this.#fields.has(id));
  }

  optional(text: PlanText): boolean {
    const fields = fieldsOf(text);
    return fields.length > 0 && fields.every((id) => this.#fields.get(id)?.required !== true);
  }
}

/** `<your-access-key>`: a sample, not a value. */
const STAND_IN = /^<[^<>]{1,80}>$/;

/** `{name}`, `${NAME}` and `[YOUR-NAME]`. */
const VARIABLE = /\$?\{([A-Za-z_][\w.-]*)\}|[[<](YOUR[_-][\w-]*)[\]>]/g;

export function fieldOf(input: RegistryInput, at: FieldPlace): FormField {
  const plain = input.format === 'string' && !input.choices;
  const secret =
    input.secret === true || (plain && (surelySecret(at.label) || (input.secret ?? asksForSecret(at.label))));
  const kind = kindOf(input, secret, at);
  const { many, ...place } = at;
  return {
    ...place,
    title: titleOfName(place.label),
    ...(many ? { many } : {}),
    kind,
    required: input.required,
    ...defined({
      // A publisher's secret is no default, only a sample.
      default: secret ? undefined : input.default,
      description: input.description,
      placeholder: secret ? (input.placeholder ?? input.default) : input.placeholder,
      choices: kind === 'choice' ? input.choices : undefined,
    }),
  };
}

function kindOf({ format, choices }: RegistryInput, secret: boolean, at: FieldPlace): FormField['kind'] {
  const isFolder = namesFolder(at.label);
  if (format === 'filepath') {
    if (at.many === true) return isFolder ? 'folders' : 'files';
    return isFolder ? 'folder' : 'file';
  }
  if (secret) return 'secret';
  if (choices) return 'choice';
  if (format === 'string') return isFolder && at.where !== 'url' ? 'folder' : 'text';
  return format;
}

export function planArguments(given: readonly RegistryArgument[], form: Form): readonly PlanArgument[] {
  return given.flatMap((argument, index) => {
    if (argument.format === 'boolean' && argument.value === 'false') return [];
    return [argument.kind === 'named' ? named(argument, form) : positional(argument, form, index)];
  });
}

function positional(argument: RegistryArgument, form: Form, index: number): PlanArgument {
  const label = argument.hint ?? `argument ${index + 1}`;
  const text = form.input(argument, {
    id: `arg:${label}`,
    label,
    where: 'argument',
    many: argument.repeated,
  });
  return { text, style: 'separate', optional: form.optional(text) };
}

export function literalArgument(text: string): PlanArgument {
  return { text: [text], style: 'separate', optional: false };
}

export function literalOf(text: PlanText | undefined): string | undefined {
  const literals = (text ?? []).filter((part) => typeof part === 'string');
  return text === undefined || literals.length < text.length ? undefined : literals.join('');
}

function named(argument: RegistryArgument, form: Form): PlanArgument {
  const given = argument.name ?? '';
  // Some documents leave out the dashes.
  const flag = given.startsWith('-') ? given : `--${given}`;
  const style = flag.startsWith('--') ? 'equals' : 'separate';
  const isSwitch = argument.format === 'boolean';
  if (isSwitch ? argument.value !== undefined : standsAlone(argument))
    return { flag, style, optional: false };
  const many = !isSwitch && argument.repeated;
  const text = form.input(argument, { id: `arg:${flag}`, label: flag, where: 'argument', many });
  return { flag, style, text, optional: isSwitch || form.optional(text) };
}

/** `--mcp` without any word about a value is a switch. */
function standsAlone(argument: RegistryArgument): boolean {
  const { value, default: preset, choices, hint, description, secret, repeated, required } = argument;
  const said = [value, preset, choices, hint, description, secret].some((each) => each !== undefined);
  return !said && !repeated && !required && argument.format === 'string';
}
