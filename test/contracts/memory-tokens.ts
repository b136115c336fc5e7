import { systemClock, type Clock } from '../../src/base/clock.ts';
import { HostTokens } from '../../src/policy/host-tokens.ts';
import type { PolicyStore } from '../../src/policy/store.ts';
import { openStorage } from '../../src/storage/open.ts';

/** A store in memory. */
export async function memoryPolicy(): Promise<PolicyStore> {
  return (await openStorage({ kind: 'memory' })).policy;
}

/** Tokens of hosts, kept in this store or in a new one. */
export async function memoryTokens(
  options: {
    readonly store?: PolicyStore;
    readonly clock?: Clock;
    readonly later?: (work: () => Promise<void>) => void;
  } = {},
): Promise<HostTokens> {
  const { store = await memoryPolicy(), clock = systemClock, later = (work) => void work() } = options;
  return HostTokens.load({ store, owner: 'local', clock, later });
}
