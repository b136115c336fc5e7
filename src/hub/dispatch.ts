import { PlugError } from '../base/errors.ts';
import type { Operation } from './operations/operation.ts';
import { parseInput } from './operations/parse-input.ts';
import { mapOperations, runOf, type Apis, type Implementations, type Run } from './operations/table.ts';
import { mayCall, type Principal } from './principal.ts';
import { mayInTeam } from './team-access.ts';

/** Checks role and input, so that a call in this process and one over HTTP are refused alike. */
export function dispatch(parts: Implementations, principal: Principal): Apis {
  return mapOperations((area, name, row) =>
    // Decided once for each face, not with each call.
    mayCall(principal, row.role) && mayInTeam(principal, `${area}.${name}`)
      ? checked(row, runOf(parts, area, name))
      : () => Promise.reject(notAllowed(`${area}.${name}`)),
  ) as Apis; // the same names, each with a method of its type
}

function checked(row: Operation, run: Run): Run {
  // Rows without a route are checked by the type checker alone.
  if (!row.route) return (input, options) => run(input ?? {}, options ?? {});
  return (input, options) => run(parseInput(row, input ?? {}), options ?? {});
}

export function notAllowed(operation: string): PlugError {
  const remedy = 'Ask the owner of this hub.';
  return new PlugError('denied', `Your role doesn't allow ${operation}.`, { owner: 'you', remedy });
}
