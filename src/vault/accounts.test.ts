import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openVaultIn, temporaryFolder } from '../../test/contracts/vault-store-open.ts';
import { verifies } from '../../test/requirements.ts';
import { systemClock as clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { Secret } from '../base/secret.ts';
import { Accounts } from './accounts.ts';
import { checkAccount, fieldOf, ownersOf, secretName } from './names.ts';

verifies(['V8'], 'a server has several accounts: each once, one default, the oldest promoted', async () => {
  await using folder = await temporaryFolder();
  await using opened = await openVaultIn(folder.path);
  const accounts = new Accounts({ store: opened.storage.accounts, secrets: opened.vault, clock, limits });
  const names = async (): Promise<string[]> =>
    (await accounts.list('local', 'github')).map((one) => (one.isDefault ? `*${one.account}` : one.account));
  expect(await accounts.find('local', 'github')).toBeUndefined();
  expect(await accounts.add('local', { server: 'github', account: 'nick' })).toMatchObject({
    isDefault: true,
  });
  await accounts.add('local', { server: 'github', account: 'work', displayName: '@nick-at-work' });
  await accounts.add('local', { server: 'github', account: 'bot' });
  await expect(accounts.add('local', { server: 'github', account: 'nick' })).rejects.toMatchObject({
    code: 'already_exists',
    owner: 'you',
  });
  expect(await names()).toEqual(['*nick', 'work', 'bot']);
  await accounts.setDefault('local', 'github', 'bot');
  expect((await accounts.find('local', 'github'))?.account).toBe('bot');
  expect((await accounts.find('local', 'github', 'work'))?.displayName).toBe('@nick-at-work');
  await accounts.setDisplayName('local', { server: 'github', account: 'nick' }, '@nick');
  await accounts.remove('local', 'github', 'bot');
  expect(await accounts.find('local', 'github')).toMatchObject({ account: 'nick', displayName: '@nick' });
  await expect(accounts.setDefault('local', 'github', 'bot')).rejects.toMatchObject({ code: 'not_found' });
  await expect(accounts.remove('local', 'github', 'bot')).rejects.toMatchObject({ code: 'not_found' });
  expect(await accounts.find('somebody-else', 'github')).toBeUndefined();
  for (const bad of ['', 'a/b', '../x', 'a b', 'x'.repeat(65), '-x']) {
    await expect(accounts.add('local', { server: 'github', account: bad })).rejects.toMatchObject({
      code: 'usage',
    });
  }
});

verifies(
  ['V6', 'V3'],
  'deleting an account or a server deletes its secrets, one record each, and no other',
  async () => {
    await using folder = await temporaryFolder();
    await using opened = await openVaultIn(folder.path);
    const { vault } = opened;
    const accounts = new Accounts({ store: opened.storage.accounts, secrets: vault, clock, limits });
    const fields = ['API_KEY', 'API_SECRET', 'SIGNING_KEY'];
    for (const [server, account] of [
      ['jira', 'me'],
      ['jira', 'work'],
      ['jira2', 'me'],
    ] as const) {
      await accounts.add('local', { server, account });
      for (const field of fields) {
        await vault.set(
          'local',
          secretName({ server, account, field }),
          new Secret(`${server} ${account} ${field}`),
        );
      }
      await vault.write(
        { owner: 'local', kind: 'token', name: `${server}/${account}/oauth` },
        new Secret('t'),
      );
    }
    await vault.set('local', 'shared', new Secret('of nobody'));
    expect(await vault.list('local')).toHaveLength(10);
    expect((await vault.get('local', 'jira/work/API_SECRET'))?.reveal()).toBe('jira work API_SECRET');

    await accounts.remove('local', 'jira', 'me');
    expect(await vault.list('local')).not.toContain('jira/me/API_KEY');
    expect(await vault.list('local', 'token')).toEqual(['jira/work/oauth', 'jira2/me/oauth']);
    await accounts.removeServer('local', 'jira');
    await accounts.removeServer('local', 'jira');
    expect(await vault.list('local')).toEqual([...fields.map((field) => `jira2/me/${field}`), 'shared']);
    expect(await accounts.list('local', 'jira')).toEqual([]);
    expect(await accounts.list('local', 'jira2')).toHaveLength(1);
  },
);

verifies(['V3'], 'the names of a server’s secrets are made from what is known', () => {
  expect(secretName({ server: 'github', account: 'me@example.com', field: 'GITHUB_TOKEN' })).toBe(
    'github/me@example.com/GITHUB_TOKEN',
  );
  expect(secretName({ server: 'github', field: 'host' })).toBe('github/host');
  expect(ownersOf('github/nick/token')).toEqual({ server: 'github', account: 'nick' });
  expect(ownersOf('github/host')).toEqual({ server: 'github' });
  for (const free of ['TOKEN', '/x', 'Big/x', 'github/', '']) expect(ownersOf(free)).toEqual({});
  expect(fieldOf('github/nick/token')).toBe('token');
  for (const bad of [
    { server: '../x', field: 'f' },
    { server: 's', field: 'a/b' },
    { server: 's', field: '' },
    { server: 's', account: 'a/b', field: 'f' },
  ]) {
    expect(() => secretName(bad)).toThrow(expect.objectContaining({ code: 'usage' }));
  }
  expect(() => checkAccount('fine@example.com')).not.toThrow();
});

test('no server can have endlessly many accounts', async () => {
  await using folder = await temporaryFolder();
  await using opened = await openVaultIn(folder.path, {
    storage: { kind: 'sqlite', file: join(folder.path, 'a.db') },
  });
  const few = { ...limits, accountsPerServerMax: 2 };
  const accounts = new Accounts({
    store: opened.storage.accounts,
    secrets: opened.vault,
    clock,
    limits: few,
  });
  await accounts.add('local', { server: 's', account: 'a' });
  await accounts.add('local', { server: 's', account: 'b' });
  await expect(accounts.add('local', { server: 's', account: 'c' })).rejects.toMatchObject({
    code: 'unavailable',
  });
});
