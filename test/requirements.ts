import { expect, test } from 'vitest';

/** Every requirement id of the product, by area: the number is how many the area has. */
const AREAS = {
  S: 18,
  V: 8,
  O: 7,
  C: 16,
  T: 10,
  P: 8,
  L: 8,
  G: 5,
  A: 4,
  U: 6,
  W: 5,
  H: 5,
  M: 4,
  E: 4,
  B: 1,
} as const;

type Area = keyof typeof AREAS;
export type RequirementId = `${Area}${number}`;

export const requirementIds: readonly RequirementId[] = Object.entries(AREAS).flatMap(([area, count]) =>
  // The keys of AREAS are areas; Object.entries only forgets it.
  Array.from({ length: count }, (_, index) => `${area as Area}${index + 1}` as const),
);

/**
 * A test that proves requirements. It fails when it asserts nothing, so that an empty test
 * can never count. `npm run requirements` reads the ids from the title.
 */
export function verifies(
  ids: readonly RequirementId[],
  promise: string,
  prove: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  for (const id of ids) {
    if (!requirementIds.includes(id)) throw new Error(`There is no requirement ${id}.`);
  }
  test(
    `[${ids.join(' ')}] ${promise}`,
    async () => {
      expect.hasAssertions();
      await prove();
    },
    timeoutMs,
  );
}
