import { isObject } from '../../base/json.ts';
import { type Attribute, attributeNamed, type ResourceType, stepsTo } from './attributes.ts';
import { scimLimits } from './limits.ts';
import { invalid } from './scim-error.ts';

/** What clients may write of a resource, under the names of the schema. */
export type Resource = Readonly<Record<string, unknown>>;

/** Read-only attributes and unknown ones are left out, as RFC 7644 wants it. */
export function readResource(given: unknown, type: ResourceType): Resource {
  if (!isObject(given)) throw invalid('invalidSyntax', 'The body is no resource.');
  const resource = readParts(given, type.attributes, (name) => topAttribute(name, type));
  for (const { name, isRequired } of type.attributes) {
    if (isRequired && resource[name] === undefined)
      throw invalid('invalidValue', `The attribute ${name} is missing.`);
  }
  return resource;
}

/** Also by its whole name, with the URN of the schema. */
function topAttribute(name: string, type: ResourceType): Attribute | undefined {
  const [first, ...more] = stepsTo(name, type) ?? [];
  return more.length === 0 ? first : undefined;
}

/** Undefined for nothing: `null`, an empty text, an empty list. */
export function readValue(attribute: Attribute, given: unknown): unknown {
  if (given === null || given === undefined) return undefined;
  if (!attribute.isMany) return readOne(attribute, given);
  // Some directories send the one value without its list.
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  const max = attribute.name === 'members' ? scimLimits.membersMax : scimLimits.valuesMax;
  if (all.length > max) throw invalid('invalidValue', `${attribute.name} has more than ${max} values.`);
  const values = all.map((value) => readOne(attribute, value)).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : onePrimary(attribute, values);
}

function readOne(attribute: Attribute, given: unknown): unknown {
  const { type, name, parts = [] } = attribute;
  if (type === 'complex') {
    // `{"manager": "ID"}` and `{"members": ["ID"]}` are written, too.
    const whole = typeof given === 'string' && attributeNamed(parts, 'value') ? { value: given } : given;
    if (!isObject(whole)) throw wrong(name, 'an object');
    const read = readParts(whole, parts, (part) => attributeNamed(parts, part));
    return Object.keys(read).length === 0 ? undefined : read;
  }
  if (type === 'boolean') {
    const folded = typeof given === 'string' ? given.toLowerCase() : given;
    if (folded === true || folded === 'true') return true;
    if (folded === false || folded === 'false') return false;
    throw wrong(name, 'true or false');
  }
  if (typeof given !== 'string') throw wrong(name, 'a text');
  if (given.length > scimLimits.textCharsMax || given.includes('\0'))
    throw wrong(name, `a text of at most ${scimLimits.textCharsMax} characters`);
  return given.trim() === '' ? undefined : given;
}

function readParts(
  given: Readonly<Record<string, unknown>>,
  attributes: readonly Attribute[],
  find: (name: string) => Attribute | undefined,
): Resource {
  const read = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const attribute = find(name);
    if (!attribute || attribute.mutability === 'readOnly' || !attributes.includes(attribute)) continue;
    const one = readValue(attribute, value);
    if (one !== undefined) read.set(attribute.name, one);
  }
  return Object.fromEntries(read);
}

function onePrimary({ name }: Attribute, values: readonly unknown[]): readonly unknown[] {
  const primary = values.filter((value) => isObject(value) && value['primary'] === true);
  if (primary.length > 1) throw invalid('invalidValue', `More than one value of ${name} is primary.`);
  return values;
}

function wrong(name: string, wanted: string): Error {
  return invalid('invalidValue', `The attribute ${name} needs ${wanted}.`);
}
