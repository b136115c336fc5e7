import { defined } from '../../base/defined.ts';
import { type JsonObject, isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { RegistryInput, RegistryRemote } from '../registry/entry.ts';
import { problemOfUrl } from '../server-url.ts';
import { type Form, fieldOf } from './form.ts';
import type { PlanRemote, PlanText, PlanValue, PlanWarning } from './plan.ts';
import { asksForSecret } from './secret-fields.ts';

export type PlannedRemote =
  | { readonly kind: 'ok'; readonly remote: PlanRemote; readonly warnings: readonly PlanWarning[] }
  | { readonly kind: 'refused'; readonly why: string };

export function planRemote(given: RegistryRemote, form: Form): PlannedRemote {
  const url = form.template(given.url, { where: 'url', variables: given.variables });
  const sample = sampleAddress(url);
  const problem = problemOfUrl(sample);
  if (problem !== undefined) return { kind: 'refused', why: `its address cannot be used: ${problem}` };
  const bad = given.headers.find(({ name }) => !HEADER.test(name));
  if (bad) return { kind: 'refused', why: `${JSON.stringify(bad.name.slice(0, 80))} is no name of a header` };
  const headers = given.headers.map((input) => form.value(input, 'header'));
  const config = given.configSchema ? configFields(given.configSchema, form) : [];
  const byPlace = (place: 'header' | 'query'): readonly PlanValue[] =>
    config
      .filter((value) => value.place === place)
      .map(({ name, text, optional }) => ({ name, text, optional }));
  const remote: PlanRemote = {
    kind: 'remote',
    transport: given.kind,
    url,
    query: byPlace('query'),
    headers: [...headers, ...byPlace('header')],
  };
  return { kind: 'ok', remote, warnings: insecure(sample) };
}

/** With sample values: a port has only digits. */
export function sampleAddress(url: PlanText): string {
  return url.reduce<string>((sample, part) => {
    if (typeof part === 'string') return sample + part;
    return sample + (/:\/\/[^/]*:$/.test(sample) ? '1' : 'x');
  }, '');
}

/** RFC 9110 §5.6.2 */
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function insecure(sample: string): readonly PlanWarning[] {
  const { protocol, hostname } = new URL(sample);
  const here = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol !== 'http:' || here) return [];
  const message = `What is sent to ${hostname} can be read on the way: its address begins with http, not https.`;
  return [{ kind: 'insecure-url', message }];
}

interface ConfigValue extends PlanValue {
  /** In a header of its own, or in the URL. */
  readonly place: 'header' | 'query';
}

/** Nested objects become `outer.inner`. */
function configFields(schema: JsonObject, form: Form): readonly ConfigValue[] {
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
    ...defined({
      default: plain === '' ? undefined : plain,
      placeholder: shown,
      choices: values.length === 0 ? undefined : values,
    }),
  };
}

export function scalar(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}
