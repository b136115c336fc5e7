import { canonicalJson, isObject } from '../../base/json.ts';
import type { Attribute, ResourceType, Steps } from './attributes.ts';
import { type Filter, parsePath, type Path } from './filter.ts';
import { scimLimits } from './limits.ts';
import { matches } from './matches.ts';
import { readValue, type Resource } from './read-resource.ts';
import { invalid } from './scim-error.ts';

interface Operation {
  readonly kind: 'add' | 'replace' | 'remove';
  readonly path: Path | undefined;
  readonly value: unknown;
}

/** Attribute names to values, written in place. */
type Parts = Record<string, unknown>;

/** The resource after all operations of a PATCH (RFC 7644, section 3.5.2); the given one stays as it is. */
export function patched(resource: Resource, body: unknown, type: ResourceType): Resource {
  const parts: Parts = structuredClone(resource);
  for (const operation of operationsIn(body, type)) apply(operation, parts, type);
  for (const { name, isRequired } of type.attributes) {
    if (isRequired && parts[name] === undefined)
      throw invalid('invalidValue', `The attribute ${name} can’t be removed.`);
  }
  return parts;
}

function operationsIn(body: unknown, type: ResourceType): readonly Operation[] {
  const given = isObject(body) ? entry(body, 'operations') : undefined;
  if (!Array.isArray(given) || given.length === 0)
    throw invalid('invalidSyntax', 'The body has no Operations.');
  if (given.length > scimLimits.operationsMax)
    throw invalid('tooMany', `More than ${scimLimits.operationsMax} operations.`);
  return given.map((one: unknown) => {
    if (!isObject(one)) throw invalid('invalidSyntax', 'An operation is no object.');
    const op = entry(one, 'op');
    const kind = typeof op === 'string' ? op.toLowerCase() : '';
    if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
      throw invalid('invalidSyntax', 'An operation is neither add, replace nor remove.');
    const path = entry(one, 'path');
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw invalid('invalidPath', 'A path is no text.');
    return { kind, value: entry(one, 'value'), path: path ? parsePath(path, type) : undefined };
  });
}

function entry(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

function apply(operation: Operation, parts: Parts, type: ResourceType): void {
  const { kind, path, value } = operation;
  if (path) return act({ kind, path, value }, parts);
  if (kind === 'remove') throw invalid('noTarget', 'What to remove is not said: the path is missing.');
  if (!isObject(value)) throw invalid('invalidSyntax', 'Without a path, the value must be an object.');
  for (const [name, part] of Object.entries(value)) {
    const to = pathIn(name, type);
    // A whole resource is often sent back, with what only we write.
    if (!to || to.steps.some(({ mutability }) => mutability === 'readOnly')) continue;
    act({ kind, path: to, value: part }, parts);
  }
}

/** Names of attributes, and paths such as `name.givenName`; what no schema knows is left out. */
function pathIn(name: string, type: ResourceType): Path | undefined {
  try {
    return parsePath(name, type);
  } catch {
    return undefined;
  }
}

interface Act extends Operation {
  readonly path: Path;
}

function act({ kind, path, value }: Act, parts: Parts): void {
  const { steps, where, part } = path;
  const [last, holder] = holderOf(steps, parts, kind);
  for (const { name, mutability } of part ? [...steps, part] : steps) {
    const isFixed =
      mutability === 'readOnly' || (mutability === 'immutable' && (part ?? last)?.name === name);
    if (isFixed) throw invalid('mutability', `The attribute ${name} can’t be changed.`);
  }
  if (!last || !holder) return;
  if (where) return actOnSome({ kind, value }, { holder, attribute: last, where, part });
  if (last.isMany) return set(holder, last.name, manyAfter(kind, holder[last.name], last, value));
  if (kind === 'remove') return set(holder, last.name, undefined);
  const read = readValue(last, value);
  const before = holder[last.name];
  // Nothing to add is no removal.
  if (read === undefined && kind === 'add') return;
  const isMerged = last.type === 'complex' && isObject(read) && isObject(before);
  set(holder, last.name, isMerged ? { ...before, ...read } : read);
}

/** The object in which the last step is; of several values, parts are set in each. */
function holderOf(
  steps: Steps,
  parts: Parts,
  kind: Operation['kind'],
): readonly [Attribute | undefined, Parts?] {
  let holder = parts;
  for (const { name, isMany } of steps.slice(0, -1)) {
    // `emails.value` speaks of no value in particular.
    if (isMany) throw invalid('invalidPath', `Which value of ${name} is meant is not said.`);
    if (!isObject(holder[name])) {
      if (kind === 'remove') return [steps.at(-1)];
      holder[name] = {};
    }
    holder = holder[name] as Parts; // made so just now, or a part of our own copy
  }
  return [steps.at(-1), holder];
}

function manyAfter(
  kind: Operation['kind'],
  before: unknown,
  attribute: Attribute,
  value: unknown,
): readonly unknown[] | undefined {
  const known: readonly unknown[] = Array.isArray(before) ? before : [];
  const read = (readValue(attribute, value) ?? []) as readonly unknown[]; // of a multi-valued attribute
  if (kind === 'replace') return distinct(attribute, read);
  if (kind === 'add') return distinct(attribute, [...withoutPrimary(known, read), ...read]);
  if (value === undefined || value === null) return undefined;
  // Not in the standard, but sent: the values to remove, beside the path.
  const gone = new Set(read.map(valueOf));
  return known.filter((one) => !gone.has(valueOf(one)));
}

interface Chosen {
  readonly holder: Parts;
  readonly attribute: Attribute;
  readonly where: Filter;
  readonly part: Attribute | undefined;
}

function actOnSome(
  { kind, value }: Pick<Operation, 'kind' | 'value'>,
  { holder, attribute, where, part }: Chosen,
): void {
  const { name } = attribute;
  const known: readonly unknown[] = Array.isArray(holder[name]) ? holder[name] : [];
  const fits = known.map((one) => matches(where, one));
  if (kind === 'remove') {
    const left = known.flatMap((one, index) => (!fits[index] ? [one] : part ? [without(one, part)] : []));
    return set(holder, name, left);
  }
  const given = part ? { [part.name]: value } : value;
  const [read] = (readValue(attribute, given) ?? []) as readonly unknown[]; // of a multi-valued attribute
  const change: Parts = isObject(read) ? read : {};
  const isMerged = part !== undefined || kind === 'add';
  const changed = (one: unknown): Parts => (isMerged && isObject(one) ? { ...one, ...change } : change);
  if (fits.includes(true)) {
    const rest = change['primary'] === true ? known.map(unmarked) : known;
    const after = rest.map((one, index) =>
      !fits[index] ? one : read === undefined && part ? without(one, part) : changed(one),
    );
    return set(holder, name, after);
  }
  const made = kind === 'add' ? fixedBy(where) : undefined;
  if (!made) throw invalid('noTarget', `No value of ${name} is as the path says.`);
  set(holder, name, [...withoutPrimary(known, [change]), { ...made, ...change }]);
}

/** What a value must be to fit, where the filter says so plainly: `type eq "work"`. */
function fixedBy(where: Filter): Parts | undefined {
  if (where.is === 'and') {
    const all = where.of.map(fixedBy);
    return all.every((one) => one !== undefined) ? Object.assign({}, ...all) : undefined;
  }
  const [step] = where.is === 'compare' && where.with === 'eq' ? where.steps : [];
  return step && where.is === 'compare' ? { [step.name]: where.value } : undefined;
}

function without(one: unknown, part: Attribute): unknown {
  if (!isObject(one)) return one;
  const { [part.name]: _gone, ...rest } = one;
  return rest;
}

/** A new primary value takes the mark from the old one. */
function withoutPrimary(known: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const hasNew = added.some((one) => isObject(one) && one['primary'] === true);
  return hasNew ? known.map(unmarked) : known;
}

function unmarked(one: unknown): unknown {
  return isObject(one) && one['primary'] === true ? { ...one, primary: false } : one;
}

/** Two values are the same by their `value` and `type`, members of a group by the first alone. */
function distinct({ parts = [] }: Attribute, values: readonly unknown[]): readonly unknown[] {
  const isId = parts.some(({ name, mutability }) => name === 'value' && mutability === 'immutable');
  const key = (one: unknown): string =>
    isId || !isObject(one) || one['type'] === undefined
      ? valueOf(one)
      : canonicalJson([one['value'], one['type']]);
  return [...new Map(values.map((value) => [key(value), value])).values()];
}

/** Nearly always a text; there may be thousands. */
function valueOf(one: unknown): string {
  const value = isObject(one) && one['value'] !== undefined ? one['value'] : one;
  return typeof value === 'string' ? value : canonicalJson(value);
}

function set(holder: Parts, name: string, value: unknown): void {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  if (isEmpty) delete holder[name];
  else holder[name] = value;
}
