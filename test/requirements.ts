import { expect, test } from 'vitest';
import { isAttack, type AttackId } from './attacks.ts';
import { patience } from './suite/patience.ts';

/** Every requirement id of the product, by area: the number is how many the area has. */
const AREAS = {
  S: 21,
  V: 8,
  O: 7,
  C: 18,
  T: 10,
  P: 11,
  L: 9,
  G: 7,
  A: 5,
  U: 7,
  W: 5,
  H: 5,
  M: 6,
  E: 5,
  B: 1,
  N: 4,
  R: 3,
} as const;

type Area = keyof typeof AREAS;
export type RequirementId = `${Area}${number}`;

export const requirementIds: readonly RequirementId[] = Object.entries(AREAS).flatMap(([area, count]) =>
  // The keys of AREAS are areas; Object.entries only forgets it.
  Array.from({ length: count }, (_, index) => `${area as Area}${index + 1}` as const),
);

/**
 * A test that proves requirements, or that an attack fails. It fails when it asserts nothing, so
 * that an empty test can never count. `npm run requirements` and `npm run attacks` read the ids
 * from the title.
 */
export function verifies(
  ids: readonly (RequirementId | AttackId)[],
  promise: string,
  prove: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  for (const id of ids) {
    const isKnown = isAttack(id) || requirementIds.some((known) => known === id);
    if (!isKnown) throw new Error(`There is no requirement ${id}.`);
  }
  test(
    `[${ids.join(' ')}] ${promise}`,
    async () => {
      expect.hasAssertions();
      await prove();
    },
    timeoutMs === undefined ? undefined : patience(timeoutMs),
  );
}
