import { expect, test } from 'vitest';
import { openVaultIn, temporaryFolder } from '../../test/contracts/vault-store-open.ts';
import { verifies } from '../../test/requirements.ts';
import { systemClock as clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { Secret } from '../base/secret.ts';
import { systemKeyring, type KeyringModule } from './keyring.ts';

interface Behavior {
  readonly set?: () => Promise<void>;
  readonly get?: () => Promise<string | null>;
}

/** The package's shape over a map, with what a desktop can do wrong. */
function moduleOf(
  entries: Map<string, string>,
  asked: unknown[],
  { set, get }: Behavior = {},
): KeyringModule {
  return {
    AsyncEntry: class {
      readonly #key: string;
      constructor(service: string, user: string, options: object) {
        this.#key = `${service}/${user}`;
        asked.push(options);
      }
      async setPassword(value: string): Promise<void> {
        await set?.();
        entries.set(this.#key, value);
      }
      async getPassword(): Promise<string | null> {
        return get ? get() : (entries.get(this.#key) ?? null);
      }
      async deletePassword(): Promise<boolean> {
        return entries.delete(this.#key);
      }
    },
  };
}

test('a key is kept under the name of Plugboard, never in the keyring that a reboot empties', async () => {
  const entries = new Map<string, string>();
  const asked: unknown[] = [];
  const keyring = systemKeyring({ clock, limits, load: () => Promise.resolve(moduleOf(entries, asked)) });
  expect(await keyring.create('id', 'value')).toBe(true);
  expect(entries).toEqual(new Map([['plugboard/id', 'value']]));
  expect(await keyring.get('id')).toBe('value');
  expect(await keyring.get('other')).toBeUndefined();
  await keyring.delete('id');
  expect(entries.size).toBe(0);
  for (const options of asked) expect(options).toEqual({ linux: { store: 'secret-service' } });
});

const never = (): Promise<never> => new Promise(() => undefined);
const BROKEN: readonly [string, () => Promise<KeyringModule>][] = [
  ['is not installed', () => Promise.reject(new Error('Cannot find module'))],
  [
    'denies access',
    () => Promise.resolve(moduleOf(new Map(), [], { set: () => Promise.reject(new Error('AccessDenied')) })),
  ],
  ['never answers', () => Promise.resolve(moduleOf(new Map(), [], { set: never }))],
  ['forgets at once', () => Promise.resolve(moduleOf(new Map(), [], { get: () => Promise.resolve(null) }))],
  [
    'gives back something else',
    () => Promise.resolve(moduleOf(new Map(), [], { get: () => Promise.resolve('x') })),
  ],
];

for (const [what, load] of BROKEN) {
  verifies(
    ['V1'],
    `a keyring that ${what} is passed over, and nothing is ever kept in the clear`,
    async () => {
      await using folder = await temporaryFolder();
      const quick = { ...limits, keyringTimeoutMs: 50 };
      const keyring = systemKeyring({ clock, limits: quick, load });
      expect(await keyring.create('id', 'value')).toBe(false);
      const passphrase = (): Promise<Secret> => Promise.resolve(new Secret('correct horse'));
      await using opened = await openVaultIn(folder.path, { keyring, passphrase });
      await opened.vault.set('local', 'k', new Secret('value'));
      expect(await opened.vault.status()).toEqual({ source: 'passphrase', keys: 1, locked: false });
    },
    30_000,
  );
}

verifies(
  ['V1'],
  'a vault whose key is in a keyring that has gone away says so, in bounded time',
  async () => {
    await using folder = await temporaryFolder();
    const entries = new Map<string, string>();
    {
      const keyring = systemKeyring({ clock, limits, load: () => Promise.resolve(moduleOf(entries, [])) });
      await using opened = await openVaultIn(folder.path, { keyring });
      await opened.vault.set('local', 'k', new Secret('value'));
    }
    const keyring = systemKeyring({
      clock,
      limits: { ...limits, keyringUnlockMs: 50 },
      load: () => Promise.resolve(moduleOf(entries, [], { get: never })),
    });
    await using opened = await openVaultIn(folder.path, { keyring });
    await expect(opened.vault.get('local', 'k')).rejects.toMatchObject({
      code: 'missing_input',
      owner: 'you',
    });
    expect(await opened.vault.status()).toEqual({ source: 'keyring', keys: 1 });
  },
);

test('the keyring of this machine answers, whether there is one or not', async () => {
  const keyring = systemKeyring({ clock, limits });
  expect(await keyring.get('no-vault-has-this-id')).toBeUndefined();
});
