import type { Comparison, Filter } from './filter.ts';
import type { Resource } from './read-resource.ts';
import type { Projection } from './shown.ts';
import type { Directory } from './tokens.ts';

/** What a directory keeps here: people, or groups. */
export interface ResourceStore {
  select(wanted: Wanted): Promise<Selected>;
  find(id: string, projection: Projection): Promise<Resource | undefined>;
  add(given: Resource, by: Directory): Promise<Resource>;
  /** From what a client could have written to what it shall be; nobody else changes it meanwhile. */
  change(id: string, change: Change, by: Directory): Promise<Resource>;
  remove(id: string, by: Directory): Promise<void>;
}

export interface Wanted {
  readonly filter: Filter | undefined;
  readonly projection: Projection;
  /** From 0. */
  readonly from: number;
  readonly count: number;
}

export interface Selected {
  readonly total: number;
  /** Those of the page. */
  readonly resources: readonly Resource[];
}

/** Told the resource as it is shown, too: its version may be asked for. */
export type Change = (written: Resource, shown: Resource) => Resource;

/** The text that an attribute must have to fit, where the filter says so plainly: then few are looked at. */
export function textWanted(filter: Filter | undefined, name: string): string | undefined {
  if (filter?.is === 'and') {
    for (const one of filter.of) {
      const found = textWanted(one, name);
      if (found !== undefined) return found;
    }
  }
  if (filter?.is !== 'compare' || filter.with !== EQUAL || typeof filter.value !== 'string') return undefined;
  const [step, ...more] = filter.steps;
  return step?.name === name && more.length === 0 ? filter.value : undefined;
}

const EQUAL: Comparison = 'eq';

/** Whether a filter looks at this attribute at all. */
export function asksFor(filter: Filter | undefined, name: string): boolean {
  if (!filter) return false;
  if ('steps' in filter) return filter.steps[0]?.name === name;
  return filter.is === 'not' ? asksFor(filter.of, name) : filter.of.some((one) => asksFor(one, name));
}
