import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { Quotas } from './quotas.ts';

const lost = (): Promise<never> => Promise.reject(new Error('the database is away'));

function quotasOver(stored: unknown, groups: readonly string[] = []) {
  let isThere = true;
  let made = 0;
  const quotas = new Quotas({
    clock: systemClock,
    groupsOf: () => Promise.resolve(groups),
    groupNames: () => Promise.resolve(groups),
    settings: {
      getSetting: () => (isThere ? Promise.resolve({ name: 'quotas', value: stored }) : lost()),
      putSetting: lost,
      deleteSetting: lost,
    },
    counters: {
      count: (_owner, { max }) => (isThere ? Promise.resolve((made += 1) <= max) : lost()),
      countOf: lost,
    },
  });
  return { quotas, lose: () => (isThere = false) };
}

verifies(['M6'], 'what cannot be counted is not called', async () => {
  const { quotas, lose } = quotasOver([{ calls: 100, per: 'minute' }]);
  await expect(quotas.take('person:a', 's')).rejects.toMatchObject({ code: 'unavailable' });
  await quotas.read();
  await quotas.take('person:a', 's');
  lose();
  await expect(quotas.take('person:a', 's')).rejects.toThrow('away');
  await expect(quotas.read()).rejects.toThrow('away');
  await expect(quotas.take('person:a', 's')).rejects.toMatchObject({ code: 'unavailable' });
});

verifies(['M6'], 'a call that comes while the quotas are read again waits for them', async () => {
  const { quotas } = quotasOver([{ calls: 1, per: 'minute' }]);
  await quotas.read();
  const reading = quotas.read();
  // Whoever looks then, to change them, sees all of them.
  expect(await quotas.all()).toEqual([{ calls: 1, per: 'minute' }]);
  await quotas.take('person:a', 's');
  await reading;
  await expect(quotas.take('person:a', 's')).rejects.toMatchObject({ code: 'rate_limited' });
});

verifies(['M6'], 'a quota is for everybody, a person, a group or a server', async () => {
  const calls = 0;
  const given = [
    { calls, per: 'hour', person: 'b' },
    { calls, per: 'hour', group: 'interns' },
    { calls, per: 'hour', server: 'mail' },
  ];
  const taken = async (groups: readonly string[], person: string, server: string): Promise<boolean> => {
    const { quotas } = quotasOver(given, groups);
    await quotas.read();
    return await Promise.resolve(quotas.take(`person:${person}`, server)).then(
      () => true,
      () => false,
    );
  };
  expect(await taken([], 'a', 'files')).toBe(true);
  expect(await taken([], 'b', 'files')).toBe(false);
  expect(await taken(['interns'], 'a', 'files')).toBe(false);
  expect(await taken([], 'a', 'mail')).toBe(false);
  const { quotas } = quotasOver([]);
  await quotas.read();
  expect(quotas.take('person:a', 's')).toBeUndefined();
});
