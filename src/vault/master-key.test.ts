import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyringOf, openVaultIn, temporaryFolder } from '../../test/contracts/vault-store-open.ts';
import { verifies } from '../../test/requirements.ts';
import { systemIds } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { Secret } from '../base/secret.ts';
import { createKeyFile, keyFilePath, readKeyFile } from './key-file.ts';
import { readMasterKeyVariable } from './key-variable.ts';
import { deriveKey, newDerivation } from './passphrase.ts';

let root: { readonly path: string } & AsyncDisposable;
beforeAll(async () => {
  root = await temporaryFolder();
});
afterAll(() => root[Symbol.asyncDispose]());

let folders = 0;
const newFolder = (): string => join(root.path, String((folders += 1)));
const passphrase = (text: string) => () => Promise.resolve(new Secret(text));

verifies(
  ['V1', 'attack:H7'],
  'the keyring comes first, then a passphrase, then the variable, then a key file',
  async () => {
    const entries = new Map<string, string>();
    const env = { PLUG_MASTER_KEY: randomBytes(32).toString('base64') };
    const given = [
      ['keyring', { keyring: keyringOf(entries), passphrase: passphrase('correct horse'), env }],
      ['passphrase', { passphrase: passphrase('correct horse'), env }],
      ['environment', { env }],
      ['file', {}],
    ] as const;
    for (const [source, sources] of given) {
      const folder = newFolder();
      {
        await using opened = await openVaultIn(folder, sources);
        expect(await opened.vault.status()).toEqual({ keys: 0 });
        await opened.vault.set('local', 'k', new Secret(source));
        expect(await opened.vault.status()).toMatchObject({ source, keys: 1 });
      }
      // A restart finds the key at the same source.
      await using opened = await openVaultIn(folder, sources);
      expect((await opened.vault.get('local', 'k'))?.reveal()).toBe(source);
      expect('warning' in (await opened.vault.status())).toBe(source === 'file');
      expect((await readdir(folder)).includes('vault')).toBe(source === 'file');
    }
    expect(entries.size).toBe(1);
  },
  30_000,
);
verifies(
  ['V1', 'V6'],
  'moving the master key seals only the data keys anew, and the old key opens nothing',
  async () => {
    const folder = newFolder();
    const entries = new Map<string, string>();
    await using opened = await openVaultIn(folder, { keyring: keyringOf(entries) });
    const { vault, storage } = opened;
    const id = { owner: 'local', kind: 'secret', name: 'k' } as const;
    await vault.set('local', 'k', new Secret('value'));
    const record = await storage.vault.getRecord(id);
    const before = await storage.vault.getKeyRing('local');

    await vault.changeMasterKey('passphrase', { passphrase: passphrase('correct horse') });
    expect(entries.size).toBe(0);
    await vault.changeMasterKey('passphrase', { passphrase: passphrase('battery staple') });
    expect(await storage.vault.getRecord(id)).toEqual(record);
    for (const [text, value] of [
      ['correct horse', undefined],
      ['battery staple', 'value'],
    ] as const) {
      await using other = await openVaultIn(folder, { passphrase: passphrase(text) });
      if (value === undefined) {
        await expect(other.vault.get('local', 'k')).rejects.toMatchObject({
          code: 'denied',
          message: expect.stringContaining('passphrase does not open'),
        });
      } else expect((await other.vault.get('local', 'k'))?.reveal()).toBe(value);
    }

    await vault.changeMasterKey('file');
    await vault.changeMasterKey('file');
    expect(await readdir(join(folder, 'vault'))).toHaveLength(1);
    const ring = await storage.vault.getKeyRing('local');
    expect(ring?.current).toBe(before?.current);
    expect(ring?.keys[0]?.wrapped).not.toBe(before?.keys[0]?.wrapped);
    expect((await vault.get('local', 'k'))?.reveal()).toBe('value');
    await using restarted = await openVaultIn(folder);
    expect((await restarted.vault.get('local', 'k'))?.reveal()).toBe('value');
    await expect(vault.changeMasterKey('environment')).rejects.toMatchObject({ code: 'missing_input' });
    expect((await vault.status()).source).toBe('file');
  },
  30_000,
);
verifies(['V1', 'attack:H1'], 'whatever the umask, the key file is for its owner alone', async () => {
  const folder = join(newFolder(), 'deep', 'vault');
  const umask = process.umask(0);
  try {
    await createKeyFile(folder, 'master_1', systemIds);
  } finally {
    process.umask(umask);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(keyFilePath(folder, 'master_1'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['master_1.key']);
  const key = await readKeyFile(folder, 'master_1');
  expect(key?.export().toString('base64')).toBe(
    (await readFile(keyFilePath(folder, 'master_1'), 'utf8')).trim(),
  );
});

verifies(
  ['V1', 'attack:H1'],
  'a link, a folder, a readable or a strange file in the place of the key is refused and left',
  async () => {
    const folder = newFolder();
    await createKeyFile(folder, 'real', systemIds);
    const target = join(root.path, 'planted-target');
    await writeFile(target, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    const content = await readFile(target, 'utf8');

    await symlink(target, keyFilePath(folder, 'linked'));
    await expect(readKeyFile(folder, 'linked')).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('symbolic link'),
    });
    // Making a key where a link was planted writes neither through it nor over it.
    await expect(createKeyFile(folder, 'linked', systemIds)).rejects.toMatchObject({
      code: 'storage_failed',
    });
    expect(await readFile(target, 'utf8')).toBe(content);

    await chmod(keyFilePath(folder, 'real'), 0o640);
    await expect(readKeyFile(folder, 'real')).rejects.toMatchObject({
      code: 'denied',
      next: `chmod 600 ${keyFilePath(folder, 'real')}`,
    });
    expect((await stat(keyFilePath(folder, 'real'))).mode & 0o777).toBe(0o640);

    await mkdir(keyFilePath(folder, 'folder'));
    await writeFile(keyFilePath(folder, 'short'), 'c2hvcnQ=', { mode: 0o600 });
    await writeFile(keyFilePath(folder, 'long'), 'A'.repeat(10_000), { mode: 0o600 });
    for (const id of ['folder', 'short', 'long']) {
      await expect(readKeyFile(folder, id)).rejects.toMatchObject({ code: 'denied', owner: 'you' });
    }
    expect(await readKeyFile(folder, 'absent')).toBeUndefined();

    const planted = newFolder();
    await symlink(folder, planted);
    await expect(createKeyFile(planted, 'new', systemIds)).rejects.toMatchObject({ code: 'denied' });
  },
);

test('an open folder is closed, and what a crash left half-made is swept', async () => {
  const folder = newFolder();
  await mkdir(folder, { mode: 0o755 });
  await chmod(folder, 0o755);
  const half = join(folder, 'new_1.key-being-made');
  await writeFile(half, 'half');
  await utimes(half, 1, 1);
  await writeFile(join(folder, 'new_2.key-being-made'), 'of a process at work');
  await createKeyFile(folder, 'master_1', systemIds);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await readdir(folder)).toSorted()).toEqual(['master_1.key', 'new_2.key-being-made']);
});

verifies(['V1'], 'a key file that is gone is said, and none is made in its place', async () => {
  const folder = newFolder();
  {
    await using opened = await openVaultIn(folder);
    await opened.vault.set('local', 'k', new Secret('value'));
  }
  await rm(join(folder, 'vault'), { recursive: true });
  await using opened = await openVaultIn(folder);
  await expect(opened.vault.set('local', 'new', new Secret('x'))).rejects.toMatchObject({
    code: 'missing_input',
    owner: 'you',
    message: expect.stringContaining('its key file is gone. Nothing in the vault was changed.'),
  });
  expect(await readdir(folder)).not.toContain('vault');
});

test('the variable takes base64 and hexadecimal, and a wrong one is named without being repeated', () => {
  const bytes = randomBytes(32);
  const read = (text: string): string | undefined =>
    readMasterKeyVariable({ PLUG_MASTER_KEY: text })?.export().toString('hex');
  for (const text of [
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    ` ${bytes.toString('hex')}\n`,
  ]) {
    expect(read(text)).toBe(bytes.toString('hex'));
  }
  expect(readMasterKeyVariable({})).toBeUndefined();
  expect(read('')).toBeUndefined();
  for (const text of [
    'hunter2',
    bytes.subarray(1).toString('base64'),
    `${bytes.toString('hex')}0`,
    'p!ss word'.repeat(5),
  ]) {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        code: 'bad_config',
        message: 'PLUG_MASTER_KEY is not a key of 32 bytes.',
        next: 'Make one: openssl rand -base64 32',
      }),
    );
  }
});

verifies(
  ['V1'],
  'a passphrase makes the same key again with its stored parameters, by argon2id or scrypt',
  async () => {
    for (const kind of ['argon2id', 'scrypt'] as const) {
      const derivation = newDerivation(new Secret('correct horse'), limits, kind);
      expect(derivation).toMatchObject(
        kind === 'scrypt'
          ? { cost: 2 ** 17, blockSize: 8 }
          : { memoryKib: 65_536, passes: 3, parallelism: 4 },
      );
      const key = async (text: string, from = derivation): Promise<string> =>
        (await deriveKey(new Secret(text), from, limits)).export().toString('hex');
      const stored = JSON.parse(JSON.stringify(derivation)) as typeof derivation;
      expect(await key('correct horse', stored)).toBe(await key('correct horse'));
      expect(await key('correct horsé')).toBe(await key('correct horse\u0301'));
      expect(await key('Correct horse')).not.toBe(await key('correct horse'));
      expect(newDerivation(new Secret('correct horse'), limits, kind).salt).not.toBe(derivation.salt);
    }
    expect(() => newDerivation(new Secret('short'), limits)).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  },
  60_000,
);

test('a vault that was changed to ask for gigabytes is refused before it gets them', async () => {
  const salt = 'AAAAAAAAAAAAAAAAAAAAAA';
  for (const derivation of [
    { kind: 'argon2id', salt, memoryKib: 2 ** 31, passes: 1, parallelism: 1 },
    { kind: 'argon2id', salt, memoryKib: 1024, passes: 2 ** 31, parallelism: 1 },
    { kind: 'scrypt', salt, cost: 2 ** 30, blockSize: 8 },
  ] as const) {
    await expect(deriveKey(new Secret('correct horse'), derivation, limits)).rejects.toMatchObject({
      code: 'storage_failed',
    });
  }
});
