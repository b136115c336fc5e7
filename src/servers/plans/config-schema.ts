import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { RegistryInput } from '../registry/entry.ts';
import { fieldOf, type Form } from './form.ts';
import type { PlanValue } from './plan.ts';
import { asksForSecret } from './secret-fields.ts';

export interface ConfigValue extends PlanValue {
  /** How the server wants it: in a header of its own, or in the address. */
  readonly place: 'header' | 'query';
}

/** Makes form fields of a JSON Schema. Objects within objects become `outer.inner`. */
export function configFields(schema: JsonObject, form: Form): readonly ConfigValue[] {
  return propertiesOf(schema, '', true)
    .slice(0, limits.registryItemsMax)
    .map(({ path, property, required }) => {
      const input = inputOf(property, required, path);
      const text = form.add(fieldOf(input, { id: `config:${path}`, label: path, where: 'config' }));
      const from = isObject(property['x-from']) ? property['x-from'] : {};
      const header = from['header'];
      const query = from['query'];
      return typeof header === 'string'
        ? { name: header, text, optional: !required, place: 'header' }
        : { name: typeof query === 'string' ? query : path, text, optional: !required, place: 'query' };
    });
}

interface Property {
  readonly path: string;
  readonly property: Record<string, unknown>;
  readonly required: boolean;
}

const DEPTH_MAX = 4;

function propertiesOf(
  schema: Record<string, unknown>,
  prefix: string,
  must: boolean,
  depth = 0,
): readonly Property[] {
  if (!isObject(schema['properties']) || depth > DEPTH_MAX) return [];
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const path = prefix + name;
    const needed = must && required.includes(name);
    return isObject(property['properties'])
      ? propertiesOf(property, `${path}.`, needed, depth + 1)
      : [{ path, property, required: needed }];
  });
}

function inputOf(property: Record<string, unknown>, required: boolean, path: string): RegistryInput {
  const { description, enum: choices } = property;
  const preset = property['default'];
  const example =
    property['example'] ?? (Array.isArray(property['examples']) ? property['examples'][0] : undefined);
  const type = Array.isArray(property['type'])
    ? property['type'].find((each) => each !== 'null')
    : property['type'];
  const format =
    type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
  const path_ = property['format'] === 'path' || property['format'] === 'file-path';
  const secret = property['format'] === 'password' || property['x-secret'] === true || asksForSecret(path);
  const plain = scalar(preset);
  const shown = scalar(example);
  const values = Array.isArray(choices) ? choices.flatMap((choice) => scalar(choice) ?? []) : [];
  return {
    required,
    format: path_ ? 'filepath' : format,
    secret: secret && format === 'string' && values.length === 0,
    variables: {},
    ...(typeof description === 'string' ? { description } : {}),
    ...(plain === undefined || plain === '' ? {} : { default: plain }),
    ...(shown === undefined ? {} : { placeholder: shown }),
    ...(values.length === 0 ? {} : { choices: values }),
  };
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}
