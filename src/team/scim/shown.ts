import { hash } from 'node:crypto';
import { canonicalJson, isObject } from '../../base/json.ts';
import { type ResourceType, type Steps, stepsTo } from './attributes.ts';
import type { Resource } from './read-resource.ts';

/** What a request wants to see of a resource. */
export interface Projection {
  readonly attributes?: readonly Steps[];
  readonly excluded?: readonly Steps[];
}

export function projectionIn(query: URLSearchParams, type: ResourceType): Projection {
  const attributes = namedIn(query.get('attributes'), type);
  const excluded = namedIn(query.get('excludedAttributes'), type);
  return { ...(attributes ? { attributes } : {}), ...(excluded ? { excluded } : {}) };
}

/** False where nobody looks at it, so that it need not be loaded. */
export function isShown(name: string, { attributes, excluded }: Projection): boolean {
  if (attributes) return attributes.some(([first]) => first?.name === name);
  return excluded?.every(([first, ...more]) => first?.name !== name || more.length > 0) ?? true;
}

export function projected(resource: Resource, { attributes, excluded }: Projection): Resource {
  if (attributes) return { ...only(resource, attributes), ...always(resource) };
  if (excluded) return { ...without(resource, excluded), ...always(resource) };
  return resource;
}

/** Changes with whatever a client could have written. */
export function versionOf(written: Resource): string {
  return `W/"${hash('sha256', canonicalJson(written), 'base64url').slice(0, 22)}"`;
}

function always({ schemas, id }: Resource): Resource {
  return { schemas, ...(id === undefined ? {} : { id }) };
}

function namedIn(text: string | null, type: ResourceType): readonly Steps[] | undefined {
  if (text === null || text.trim() === '') return undefined;
  return text.split(',').flatMap((name) => {
    const steps = stepsTo(name.trim(), type);
    return steps ? [steps] : [];
  });
}

function only(value: Resource, paths: readonly Steps[]): Resource {
  return eachPart(value, (name, part) => {
    const own = restsOf(name, paths);
    if (own.length === 0) return undefined;
    return own.some((rest) => rest.length === 0) ? part : inEach(part, (one) => only(one, own));
  });
}

function without(value: Resource, paths: readonly Steps[]): Resource {
  return eachPart(value, (name, part) => {
    const own = restsOf(name, paths);
    if (own.some((rest) => rest.length === 0)) return undefined;
    return own.length === 0 ? part : inEach(part, (one) => without(one, own));
  });
}

function restsOf(name: string, paths: readonly Steps[]): readonly Steps[] {
  return paths.filter(([first]) => first?.name === name).map(([, ...rest]) => rest);
}

function eachPart(value: Resource, keep: (name: string, part: unknown) => unknown): Resource {
  const kept = Object.entries(value).map(([name, part]) => [name, keep(name, part)] as const);
  return Object.fromEntries(kept.filter(([, part]) => part !== undefined));
}

function inEach(part: unknown, change: (one: Resource) => Resource): unknown {
  if (Array.isArray(part)) return part.map((one: unknown) => (isObject(one) ? change(one) : one));
  return isObject(part) ? change(part) : part;
}
