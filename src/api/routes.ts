import type { Operation, Route, RoutedOperation } from '../hub/operations/operation.ts';
import { operations, type Area } from '../hub/operations/table.ts';
import { listenerOperations } from './listener-operations.ts';

type HubOperationName = {
  [Name in Area]: `${Name}.${TravellingIn<(typeof operations)[Name]>}`;
}[Area];

type TravellingIn<Rows> = keyof {
  [Name in keyof Rows as Rows[Name] extends RoutedOperation ? Name : never]: Rows[Name];
} &
  string;

export type ListenerOperationName = keyof typeof listenerOperations;
export type OperationName = HubOperationName | ListenerOperationName;

// The names are those of the types; Object.entries loses them.
export const routedOperations = { ...hubOperations(), ...listenerOperations } as Readonly<
  Record<OperationName, RoutedOperation>
>;

export const operationNames: readonly OperationName[] = Object.keys(routedOperations) as OperationName[];

export const routes = Object.fromEntries(
  Object.entries(routedOperations).map(([name, { route }]) => [name, route]),
) as Readonly<Record<OperationName, Route>>;

/** Whether the input is in the query rather than in a body. */
export function usesQuery(route: Route): boolean {
  return route.method === 'GET' || route.method === 'DELETE';
}

function hubOperations(): Record<string, Operation> {
  const areas = Object.entries<Readonly<Record<string, Operation>>>(operations);
  return Object.fromEntries(
    areas.flatMap(([area, rows]) =>
      Object.entries(rows).flatMap(([name, row]) => (row.route ? [[`${area}.${name}`, row]] : [])),
    ),
  );
}
