import { expect, test } from 'vitest';
import { openStorage } from '../open.ts';

test('whoever remembers an account learns of every change, and of no reading', async () => {
  await using storage = await openStorage({ kind: 'memory' });
  const { accounts } = storage;
  const seen = [accounts.changes];
  const change = async (write: Promise<unknown>): Promise<void> => {
    await write;
    seen.push(accounts.changes);
  };
  await change(accounts.addAccount('local', { server: 'github', account: 'work', createdAt: 1 }));
  await change(accounts.addAccount('local', { server: 'github', account: 'home', createdAt: 2 }));
  await change(accounts.setDefaultAccount('local', 'github', 'home'));
  await change(accounts.setDisplayName('local', { server: 'github', account: 'home' }, '@nick'));
  await change(accounts.deleteAccount('local', 'github', 'work'));
  expect(await accounts.listAccounts('local', 'github')).toEqual([
    { server: 'github', account: 'home', displayName: '@nick', createdAt: 2, isDefault: true },
  ]);
  await change(accounts.deleteAccountsOf('local', 'github'));
  expect(new Set(seen).size).toBe(seen.length);
  expect(await accounts.listAccounts('local', 'github')).toEqual([]);
  expect(accounts.changes).toBe(seen.at(-1));
});
