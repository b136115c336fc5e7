import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVaultIn, temporaryFolder } from '../../test/contracts/vault-store-open.ts';
import { verifies } from '../../test/requirements.ts';
import { Secret } from '../base/secret.ts';
import { Keys } from './keys.ts';

let root: { readonly path: string } & AsyncDisposable;
beforeAll(async () => {
  root = await temporaryFolder();
});
afterAll(() => root[Symbol.asyncDispose]());

let folders = 0;

/** A folder with a vault in it that holds one secret and is locked with this passphrase. */
async function lockedFolder(text: string): Promise<string> {
  const folder = `${root.path}/${(folders += 1)}`;
  await using opened = await openVaultIn(folder);
  await opened.vault.set('local', 'k', new Secret('value'));
  await opened.vault.changeMasterKey('passphrase', { passphrase: () => Promise.resolve(new Secret(text)) });
  return folder;
}

verifies(
  ['V1'],
  'a locked vault says how to unlock it, opens with the right passphrase alone, and stays open',
  async () => {
    const folder = await lockedFolder('correct horse');
    await using opened = await openVaultIn(folder);
    const { vault } = opened;
    const locked = { code: 'missing_input', owner: 'you', next: 'plug secrets unlock' };
    await expect(vault.get('local', 'k')).rejects.toMatchObject(locked);
    await expect(vault.set('local', 'k', new Secret('x'))).rejects.toMatchObject(locked);
    await expect(vault.checkUnlocked()).rejects.toMatchObject(locked);
    expect(await vault.status()).toEqual({ source: 'passphrase', keys: 1, locked: true });
    // Wrong and right ones at once: each is judged by itself.
    const tries = ['wrong horse', 'correct horse', 'Correct horse'].map((text) =>
      vault.unlock(new Secret(text)),
    );
    expect((await Promise.allSettled(tries)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    await expect(tries[0]).rejects.toMatchObject({ code: 'denied', next: 'plug secrets unlock' });
    await vault.checkUnlocked();
    expect(await vault.status()).toMatchObject({ locked: false });
    expect((await vault.get('local', 'k'))?.reveal()).toBe('value');
    expect((await vault.rotate()).resealed).toBe(1);
    expect((await vault.get('local', 'k'))?.reveal()).toBe('value');
  },
  30_000,
);

verifies(
  ['V1', 'V6'],
  'a passphrase that another process changed is asked for anew, and the old one is refused',
  async () => {
    const folder = await lockedFolder('correct horse');
    await using first = await openVaultIn(folder);
    await first.vault.unlock(new Secret('correct horse'));
    await using second = await openVaultIn(folder);
    await second.vault.unlock(new Secret('correct horse'));
    const passphrase = (): Promise<Secret> => Promise.resolve(new Secret('battery staple'));
    await second.vault.changeMasterKey('passphrase', { passphrase });
    expect(await first.vault.status()).toMatchObject({ locked: true });
    await expect(first.vault.unlock(new Secret('correct horse'))).rejects.toMatchObject({ code: 'denied' });
    await first.vault.unlock(new Secret('battery staple'));
    await first.vault.set('local', 'k', new Secret('new'));
    expect((await second.vault.get('local', 'k'))?.reveal()).toBe('new');
  },
  30_000,
);

verifies(
  ['V6'],
  'a rotation that a crash interrupted waits for the passphrase, and is finished then',
  async () => {
    const folder = await lockedFolder('correct horse');
    {
      await using opened = await openVaultIn(folder);
      const keys = new Keys(opened.storage.vault, 'local', opened.sources);
      await keys.unlock(new Secret('correct horse'));
      await keys.startRotation();
    }
    await using opened = await openVaultIn(folder);
    opened.vault.resume();
    expect(await opened.vault.status()).toMatchObject({ keys: 2, locked: true });
    await opened.vault.unlock(new Secret('correct horse'));
    await expect.poll(async () => (await opened.vault.status()).keys).toBe(1);
    expect((await opened.vault.get('local', 'k'))?.reveal()).toBe('value');
  },
  30_000,
);

verifies(['V5'], 'every passphrase that was given is hidden from then on, the wrong ones too', async () => {
  const folder = await lockedFolder('correct horse');
  const learnt: string[] = [];
  await using opened = await openVaultIn(folder, { redactor: { learn: (value) => void learnt.push(value) } });
  await expect(opened.vault.unlock(new Secret('wrong horse'))).rejects.toMatchObject({ code: 'denied' });
  await opened.vault.unlock(new Secret('correct horse'));
  const passphrase = (): Promise<Secret> => Promise.resolve(new Secret('battery staple'));
  await opened.vault.changeMasterKey('passphrase', { passphrase });
  expect(learnt).toEqual(['wrong horse', 'correct horse', 'battery staple']);
});

test('a vault without a passphrase has nothing to unlock', async () => {
  await using opened = await openVaultIn(`${root.path}/${(folders += 1)}`);
  const nothing = { code: 'usage', message: 'The vault is not locked with a passphrase.' };
  await expect(opened.vault.unlock(new Secret('correct horse'))).rejects.toMatchObject(nothing);
  await opened.vault.set('local', 'k', new Secret('value'));
  await expect(opened.vault.unlock(new Secret('correct horse'))).rejects.toMatchObject(nothing);
  await opened.vault.checkUnlocked();
});
