import { expect } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { grantOf, policyStoreContract } from './policy-store.ts';
import { everyStorage } from './storage-kinds.ts';

for (const { kind, options } of everyStorage()) {
  policyStoreContract(kind, () => openStorage(options()));
  if (kind === 'memory') continue; // nobody else can open it

  verifies(
    ['P4', 'H2'],
    `a grant for once is used once, by whichever of three hubs on one ${kind} database takes it first`,
    async () => {
      const hubs = await Promise.all([1, 2, 3].map(() => openStorage(options())));
      const [first] = hubs;
      for (let round = 0; round < 30; round += 1) {
        const id = `grant-${round}`;
        const scope = { kind: 'once', tool: 't', hash: 'h' } as const;
        await first?.policy.putGrant('shared', grantOf({ id, scope }));
        const taken = await Promise.all(hubs.map((hub) => hub.policy.deleteGrant('shared', id)));
        expect(taken.filter(Boolean)).toHaveLength(1);
      }
      expect(await first?.policy.listGrants('shared')).toEqual([]);
      await Promise.all(hubs.map((hub) => hub.close()));
    },
    30_000,
  );
}
