import { isObject } from '../../base/json.ts';
import type { Attribute, Steps } from './attributes.ts';
import type { Comparison, Filter } from './filter.ts';

/** Whether a resource, or one value of it, is what a filter asks for. */
export function matches(filter: Filter, resource: unknown): boolean {
  if (filter.is === 'compare') return compares(filter, resource);
  if (filter.is === 'not') return !matches(filter.of, resource);
  if ('steps' in filter) {
    const values = valuesAt(filter.steps, resource);
    return filter.is === 'present'
      ? values.some(isFilled)
      : values.some((value) => matches(filter.of, value));
  }
  const isMatch = (one: Filter): boolean => matches(one, resource);
  return filter.is === 'and' ? filter.of.every(isMatch) : filter.of.some(isMatch);
}

function compares(
  { steps, with: comparison, value: wanted }: Filter & { is: 'compare' },
  resource: unknown,
): boolean {
  const [last, values] = plain(steps, valuesAt(steps, resource));
  const isEqual = (): boolean =>
    wanted === null ? !values.some(isFilled) : values.some((value) => fits('eq', value, wanted, last));
  if (comparison === 'eq') return isEqual();
  if (comparison === 'ne') return !isEqual();
  return values.some((value) => fits(comparison, value, wanted, last));
}

/** Of a complex attribute its `value` is compared, as `emails co "example.com"` means it. */
function plain(
  steps: Steps,
  values: readonly unknown[],
): readonly [Attribute | undefined, readonly unknown[]] {
  const last = steps.at(-1);
  if (last?.type !== 'complex') return [last, values];
  const value = last.parts?.find(({ name }) => name === 'value');
  return [value, value ? values.flatMap((each) => valuesAt([value], each)) : []];
}

function valuesAt(steps: Steps, resource: unknown): readonly unknown[] {
  const [first, ...rest] = steps;
  if (!first) return [resource];
  const values = partOf(resource, first.name);
  return rest.length === 0 ? values : values.flatMap((value) => valuesAt(rest, value));
}

function partOf(value: unknown, name: string): readonly unknown[] {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (found === undefined) return [];
  return Array.isArray(found) ? (found as readonly unknown[]) : [found];
}

function isFilled(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(isFilled);
  return value !== undefined && value !== null && value !== '';
}

function fits(comparison: Comparison, value: unknown, wanted: unknown, attribute?: Attribute): boolean {
  if (typeof value !== 'string' || typeof wanted !== 'string') return comparison === 'eq' && value === wanted;
  if (attribute?.type === 'dateTime' && ORDERED.has(comparison)) {
    return ordered(comparison, Date.parse(value) - Date.parse(wanted));
  }
  const fold = (text: string): string => (attribute?.isExact ? text : text.toLowerCase());
  const [own, other] = [fold(value), fold(wanted)];
  if (comparison === 'co') return own.includes(other);
  if (comparison === 'sw') return own.startsWith(other);
  if (comparison === 'ew') return own.endsWith(other);
  return ordered(comparison, own === other ? 0 : own < other ? -1 : 1);
}

const ORDERED: ReadonlySet<Comparison> = new Set(['eq', 'gt', 'ge', 'lt', 'le']);

function ordered(comparison: Comparison, difference: number): boolean {
  if (comparison === 'gt') return difference > 0;
  if (comparison === 'ge') return difference >= 0;
  if (comparison === 'lt') return difference < 0;
  return comparison === 'le' ? difference <= 0 : difference === 0;
}
