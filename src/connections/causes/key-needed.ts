import type { NeededInput } from '../../servers/plans/needs.ts';

/** Where a server takes its key that says nothing about it. */
export const KEY_HEADER = 'Authorization';

export const KEY_NEEDED: readonly NeededInput[] = [{ oneOf: [{ where: 'header', name: KEY_HEADER }] }];
