import { assert } from '../base/errors.ts';
import type { Grant } from '../policy/grant.ts';

/** A grant of a session that was stored would outlive the session. */
export function assertKept(grant: Grant): void {
  assert(!grant.session, 'a grant of a session reached the storage');
}

/** The order in which people gave them; ids part those of one moment. */
export function oldestFirst(grants: readonly Grant[]): readonly Grant[] {
  return grants.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}
