import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Grant } from '../../src/policy/grant.ts';
import type { PolicyStore } from '../../src/policy/store.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { ODD_TEXTS } from './storage-kinds.ts';

/** What every store of grants and trust promises. Each test has an owner of its own. */
export function policyStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: PolicyStore;
    let owners = 0;
    const newOwner = (): string => `policy-owner-${(owners += 1)}`;

    beforeAll(async () => {
      storage = await open();
      store = storage.policy;
    });
    afterAll(() => storage.close());

    verifies(
      ['P4', 'H2'],
      'a grant comes back with its scope, date and binding, whatever they hold',
      async () => {
        const owner = newOwner();
        const grants: Grant[] = [
          grantOf({ id: 'once', scope: { kind: 'once', tool: 'a\0', hash: 'h', argsHash: 'x' } }),
          grantOf({
            id: 'tool',
            scope: { kind: 'tool', tool: '\ud800', hash: 'h' },
            until: 1_789_000_000_123,
          }),
          grantOf({ id: 'reads', scope: { kind: 'reads' } }),
          grantOf({
            id: 'arguments',
            scope: { kind: 'arguments', tool: 't', hash: 'h', pattern: { 'repo.name': 'acme/*', '\0': '?' } },
          }),
        ];
        for (const grant of grants) await store.putGrant(owner, grant);
        expect(await store.listGrants(owner)).toEqual(expect.arrayContaining(grants));
        expect(await store.listGrants(owner)).toHaveLength(grants.length);
        await store.putGrant(owner, grantOf({ id: 'reads', until: 9 }));
        expect((await store.listGrants(owner)).filter(({ id }) => id === 'reads')).toStrictEqual([
          grantOf({ id: 'reads', until: 9 }),
        ]);
      },
    );

    verifies(['P4', 'H2'], 'grants are listed oldest first', async () => {
      const owner = newOwner();
      for (const [id, createdAt] of [
        ['c', 5],
        ['b', 9],
        ['a', 9],
        ['d', 1_789_000_000_000],
      ] as const) {
        await store.putGrant(owner, grantOf({ id, createdAt }));
      }
      expect((await store.listGrants(owner)).map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd']);
    });

    verifies(['P4'], 'a grant of a session is never stored', async () => {
      const owner = newOwner();
      await expect(store.putGrant(owner, grantOf({ session: true }))).rejects.toThrow(
        'a grant of a session reached the storage',
      );
      expect(await store.listGrants(owner)).toEqual([]);
    });

    verifies(['P4', 'H2'], 'a revoked grant is gone, and of many who take it one is told so', async () => {
      const owner = newOwner();
      for (const id of ODD_TEXTS) {
        await store.putGrant(owner, grantOf({ id }));
        const taken = await Promise.all(Array.from({ length: 8 }, () => store.deleteGrant(owner, id)));
        expect(taken.filter(Boolean)).toHaveLength(1);
        expect(await store.deleteGrant(owner, id)).toBe(false);
      }
      expect(await store.listGrants(owner)).toEqual([]);
    });

    verifies(['H2'], 'trust is kept once for each server, with what it is bound to', async () => {
      const owner = newOwner();
      const trust = { server: 's\0', fingerprint: 'old', trustedAt: 1, source: 'you' };
      await store.putServerTrust(owner, trust);
      await store.putServerTrust(owner, { ...trust, server: 'a' });
      await store.putServerTrust(owner, { ...trust, fingerprint: 'new', trustedAt: 1_789_000_000_000 });
      expect(await store.listServerTrust(owner)).toStrictEqual([
        { ...trust, server: 'a' },
        { ...trust, fingerprint: 'new', trustedAt: 1_789_000_000_000 },
      ]);
      expect(await store.deleteServerTrust(owner, 's\0')).toBe(true);
      expect(await store.deleteServerTrust(owner, 's\0')).toBe(false);
    });

    verifies(['G7', 'H2'], 'hosts are kept by name, with digests and when they were used', async () => {
      const owner = newOwner();
      const host = { name: 'cursor', digest: 'd1', createdAt: 1_789_000_000_000 };
      const bound = { name: 'agent', digest: 'd2', createdAt: 1, profile: 'triage', readOnly: true };
      await store.putHost(owner, host);
      await store.putHost(owner, bound);
      expect(await store.listHosts(owner)).toStrictEqual([bound, host]);
      expect(await store.noteHostUse(owner, host, 7)).toBe(true);
      expect(await store.noteHostUse(owner, { name: 'cursor', digest: 'other' }, 8)).toBe(false);
      expect(await store.noteHostUse(owner, { name: 'none', digest: 'd1' }, 8)).toBe(false);
      expect(await store.noteHostUse(newOwner(), host, 8)).toBe(false);
      expect(await store.listHosts(owner)).toStrictEqual([bound, { ...host, lastUsedAt: 7 }]);
      expect(await store.deleteHost(newOwner(), 'cursor')).toBe(false);
      expect(await store.deleteHost(owner, 'cursor')).toBe(true);
      expect(await store.deleteHost(owner, 'cursor')).toBe(false);
      expect(await store.noteHostUse(owner, host, 9)).toBe(false);
      expect(await store.listHosts(owner)).toStrictEqual([bound]);
    });

    verifies(['P4', 'H2'], 'an owner never sees, revokes or forgets what belongs to another', async () => {
      const [mine, theirs] = [newOwner(), newOwner()];
      const trust = { server: 's', fingerprint: 'f', trustedAt: 1, source: 'you' };
      await store.putGrant(theirs, grantOf({ id: 'g' }));
      await store.putServerTrust(theirs, trust);
      expect([await store.listGrants(mine), await store.listServerTrust(mine)]).toEqual([[], []]);
      expect(await store.deleteGrant(mine, 'g')).toBe(false);
      expect(await store.deleteServerTrust(mine, 's')).toBe(false);
      await store.forgetServer(mine, 's');
      await store.putGrant(mine, grantOf({ id: 'g', source: 'mine' }));
      expect(await store.listGrants(theirs)).toStrictEqual([grantOf({ id: 'g' })]);
      expect(await store.listServerTrust(theirs)).toStrictEqual([trust]);
    });

    verifies(['P4', 'H2'], 'forgetting a server takes its grants and its trust, and no others', async () => {
      const owner = newOwner();
      for (const server of ['s', 't']) {
        await store.putServerTrust(owner, { server, fingerprint: 'f', trustedAt: 1, source: 'you' });
        await store.putGrant(owner, grantOf({ id: `${server}1`, server }));
        await store.putGrant(owner, grantOf({ id: `${server}2`, server }));
      }
      await store.forgetServer(owner, 's');
      expect((await store.listGrants(owner)).map(({ id }) => id)).toEqual(['t1', 't2']);
      expect((await store.listServerTrust(owner)).map(({ server }) => server)).toEqual(['t']);
    });
  });
}

export function grantOf(given: Partial<Grant>): Grant {
  return {
    id: 'grant',
    principal: 'local',
    server: 's',
    fingerprint: 'f',
    scope: { kind: 'reads' },
    session: false,
    source: 'plug grants add',
    createdAt: 1,
    ...given,
  };
}
