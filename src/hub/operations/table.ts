import { accounts, secrets } from './accounts.ts';
import { hosts, profiles } from './hosts.ts';
import { chat, configuring, models } from './models.ts';
import type { Api, Implementation, Operation } from './operation.ts';
import { imports, plans, registries } from './plans.ts';
import { approvals, grants, policy } from './policy.ts';
import { audit, results } from './records.ts';
import { prompts, resources } from './resources.ts';
import { servers } from './servers.ts';
import { tools } from './tools.ts';
import { backups, doctor, settings } from './maintenance.ts';
import { changes, clients, setup, updates } from './changes.ts';

/** Every operation of the hub, by area. Adding one is a row here and its implementation. */
export const operations = {
  servers,
  tools,
  resources,
  prompts,
  profiles,
  hosts,
  accounts,
  secrets,
  imports,
  registries,
  plans,
  policy,
  grants,
  approvals,
  audit,
  results,
  models,
  chat,
  configuring,
  settings,
  doctor,
  backups,
  clients,
  changes,
  setup,
  updates,
};

export type Area = keyof typeof operations;

/** The operations as methods, for those who call them. */
export type Apis = { readonly [Name in Area]: Api<(typeof operations)[Name]> };

/** The operations as methods, for those who implement them. */
export type Implementations = { readonly [Name in Area]: Implementation<(typeof operations)[Name]> };

export function mapOperations(
  make: (area: Area, name: string, row: Operation) => unknown,
  areas: readonly Area[] = AREAS,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(
    areas.map((area) => {
      const rows = Object.entries<Operation>(operations[area]);
      return [area, Object.fromEntries(rows.map(([name, row]) => [name, make(area, name, row)]))];
    }),
  );
}

export const AREAS = Object.keys(operations) as readonly Area[]; // its own keys

export type Run = (input: unknown, options: unknown) => Promise<unknown>;

export function runOf(parts: Partial<Implementations>, area: Area, name: string): Run {
  const api = parts[area] as unknown as Readonly<Record<string, Run>>;
  return api[name] as Run; // the type of `parts` has a method for each row
}

/** The same areas, whose code is loaded when one of their operations is first used. */
export function deferred<Name extends Area>(
  areas: readonly Name[],
  load: () => Promise<Pick<Implementations, Name>>,
): Pick<Implementations, Name> {
  const make =
    (area: Area, name: string): Run =>
    async (input, options) =>
      runOf(await load(), area, name)(input, options);
  return mapOperations(make, areas) as Pick<Implementations, Name>; // a method for each row of these areas
}
