import { PlugError } from '../base/errors.ts';
import { lazyObject } from '../base/lazy-object.ts';
import type { Operation } from './operations/operation.ts';
import { parseInput } from './operations/parse-input.ts';
import {
  AREAS,
  mapOperations,
  runOf,
  type Apis,
  type Implementations,
  type Run,
} from './operations/table.ts';
import { mayCall, type Principal } from './principal.ts';
import { mayInTeam } from './team-access.ts';

/** Checks role and input, so that a call in this process and one over HTTP are refused alike. */
export function dispatch(parts: Implementations, principal: Principal): Apis {
  return lazyApis((area) => {
    const part = { [area]: parts[area] };
    const made = mapOperations(
      (_, name, row) =>
        // Decided once for each face, not with each call.
        mayCall(principal, row.role) && mayInTeam(principal, `${area}.${name}`)
          ? checked(row, runOf(part, area, name))
          : () => Promise.reject(notAllowed(`${area}.${name}`)),
      [area],
    );
    return made[area];
  });
}

/** A team has faces for each person, most of which use few areas. */
const lazyApis = lazyObject<Apis>(AREAS);

function checked(row: Operation, run: Run): Run {
  // Rows without a route are checked by the type checker alone.
  if (!row.route) return (input, options) => run(input ?? {}, options ?? {});
  return (input, options) => run(parseInput(row, input ?? {}), options ?? {});
}

export function notAllowed(operation: string): PlugError {
  const remedy = 'Ask the owner of this hub.';
  return new PlugError('denied', `Your role doesn't allow ${operation}.`, { owner: 'you', remedy });
}
