import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { memoryPolicy, memoryTokens } from '../../test/contracts/memory-tokens.ts';
import type { HostTokens, KnownHost } from './host-tokens.ts';
import type { PolicyStore } from './store.ts';

async function tokens(given?: PolicyStore): Promise<{
  store: PolicyStore;
  open: HostTokens;
  pass: (ms: number) => void;
  settle: () => Promise<void>;
}> {
  const store = given ?? (await memoryPolicy());
  let now = 1_789_000_000_000;
  const work: Promise<void>[] = [];
  const clock = { ...systemClock, now: () => now };
  const open = await memoryTokens({ store, clock, later: (run) => void work.push(run()) });
  const settle = async (): Promise<void> => {
    await Promise.all(work.splice(0));
  };
  return { store, open, pass: (ms) => void (now += ms), settle };
}

verifies(
  ['G7'],
  'a token opens for its own host, also after a restart, and only its digest is kept',
  async () => {
    const { store, open } = await tokens();
    const [mine = '', other = ''] = [
      await open.add({ name: 'cursor' }),
      await open.add({ name: 'agent', profile: 'triage', readOnly: true }),
    ];
    expect(mine).toMatch(/^plughost_[\w-]{43}$/);
    expect(mine).not.toBe(other);
    for (const each of [open, (await tokens(store)).open]) {
      expect(each.find(mine)).toMatchObject({ name: 'cursor', readOnly: false, isRevoked: false });
      expect(each.find(other)).toMatchObject({ name: 'agent', profile: 'triage', readOnly: true });
      for (const wrong of ['', mine.slice(0, -1), `${mine}x`, mine.toUpperCase()]) {
        expect(each.find(wrong)).toBeUndefined();
      }
      expect(JSON.stringify(each.list())).not.toMatch(/plughost_|digest/);
    }
    expect(JSON.stringify(await store.listHosts('local'))).not.toContain(mine.slice(9));
  },
);

verifies(
  ['G7'],
  'one name is one host; what is revoked is told at once, and its name is free again',
  async () => {
    const { store, open } = await tokens();
    const token = (await open.add({ name: 'cursor' })) ?? '';
    expect(await open.add({ name: 'cursor' })).toBeUndefined();
    const known = open.find(token) as KnownHost; // added above
    const told: string[] = [];
    const stop = open.onRevoke(({ name }) => told.push(name));
    expect([await open.revoke('cursor'), await open.revoke('cursor')]).toEqual([true, false]);
    expect([known.isRevoked, open.find(token), told]).toEqual([true, undefined, ['cursor']]);
    expect(await store.listHosts('local')).toEqual([]);
    const again = (await open.add({ name: 'cursor' })) ?? '';
    expect([open.find(token), open.find(again)?.name]).toEqual([undefined, 'cursor']);
    stop();
    await open.revoke('cursor');
    expect(told).toEqual(['cursor']);
  },
);

test('two that add the same name at once get one host', async () => {
  const { open } = await tokens();
  const added = await Promise.all([open.add({ name: 'a' }), open.add({ name: 'a' })]);
  expect(added.filter((token) => token !== undefined)).toHaveLength(1);
});

test('the last use is written down now and then, and when the hub stops', async () => {
  const { store, open, pass, settle } = await tokens();
  const host = open.find((await open.add({ name: 'cursor' })) ?? '') as KnownHost; // added above
  const stored = async (): Promise<number | undefined> => (await store.listHosts('local'))[0]?.lastUsedAt;
  open.used(host);
  await settle();
  expect(await stored()).toBe(1_789_000_000_000);
  pass(1_000);
  open.used(host);
  await settle();
  expect([await stored(), open.list()[0]?.lastUsedAt]).toEqual([1_789_000_000_000, 1_789_000_001_000]);
  await open.close();
  expect(await stored()).toBe(1_789_000_001_000);
});

test('a host that another hub on the same database has revoked is let go of with its next use', async () => {
  const { store, open, pass, settle } = await tokens();
  const token = (await open.add({ name: 'cursor' })) ?? '';
  const other = await tokens(store);
  await other.open.revoke('cursor');
  const renewed = (await other.open.add({ name: 'cursor' })) ?? '';
  const known = open.find(token) as KnownHost; // nobody has told this hub
  pass(60_000);
  open.used(known);
  await settle();
  expect([known.isRevoked, open.find(token)]).toEqual([true, undefined]);
  expect((await tokens(store)).open.find(renewed)?.name).toBe('cursor');
});
