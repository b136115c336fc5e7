import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVaultIn, temporaryFolder } from './vault-store-open.ts';
import { verifies } from '../requirements.ts';
import { createRedactor } from '../../src/base/redact.ts';
import { Secret } from '../../src/base/secret.ts';
import { nonceOf } from './nonce-of.ts';

let root: { readonly path: string } & AsyncDisposable;
beforeAll(async () => {
  root = await temporaryFolder();
});
afterAll(() => root[Symbol.asyncDispose]());

let folders = 0;
const newFolder = (): string => join(root.path, String((folders += 1)));
const CANARY = 'canary-6f1d2c8e0b';

test('a secret comes back as it was given, whatever it is', async () => {
  await using opened = await openVaultIn(newFolder(), { storage: { kind: 'memory' } });
  const { vault } = opened;
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (value) => {
      await vault.set('local', 'any', new Secret(value));
      expect((await vault.get('local', 'any'))?.reveal()).toBe(value);
    }),
    { numRuns: 200 },
  );
  await expect(vault.set('local', 'any', new Secret('\ud800'))).rejects.toMatchObject({ code: 'usage' });
  await expect(vault.set('local', '../x y', new Secret('v'))).rejects.toMatchObject({ code: 'usage' });
  await expect(vault.set('local', 'big', new Secret('x'.repeat(300_000)))).rejects.toMatchObject({
    code: 'too_large',
  });
  expect(await vault.list('local')).toEqual(['any']);
});

verifies(
  ['V1', 'attack:H7'],
  'no file of ours holds a secret in the clear, and all of them are private',
  async () => {
    const folder = newFolder();
    await using opened = await openVaultIn(folder);
    await opened.vault.set('local', 'github/token', new Secret(CANARY));
    await opened.vault.write({ owner: 'local', kind: 'token', name: 'github/oauth' }, new Secret(CANARY));
    await opened.vault.rotate();
    const forms = [
      CANARY,
      Buffer.from(CANARY).toString('base64').slice(0, -2),
      Buffer.from(CANARY).toString('hex'),
    ];
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      expect((await stat(name)).mode & 0o077).toBe(0);
      const bytes = await readFile(name, 'latin1');
      for (const form of forms) expect(bytes.includes(form)).toBe(false);
    }
    expect(inspect(opened.vault, { depth: 10, showHidden: true })).not.toContain(CANARY);
    expect((await opened.vault.get('local', 'github/token'))?.reveal()).toBe(CANARY);
  },
);

verifies(
  ['V1', 'attack:H2'],
  'any byte of a stored record flipped: it does not open, and the row stays',
  async () => {
    const folder = newFolder();
    await using opened = await openVaultIn(folder);
    await opened.vault.set('local', 's/key', new Secret('value of s'));
    const database = new DatabaseSync(join(folder, 'plug.db'));
    const { body } = database.prepare('select body from vault_records').get() as { body: string };
    const write = database.prepare('update vault_records set body = ?');
    const record = JSON.parse(body) as { sealed: string };
    const bytes = Buffer.from(record.sealed, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const planted = JSON.stringify({ ...record, sealed: changed.toString('base64url') });
      write.run(planted);
      await expect(opened.vault.get('local', 's/key')).rejects.toMatchObject({
        code: 'storage_failed',
        owner: 'you',
        message: expect.stringContaining('changed from outside'),
      });
      expect(database.prepare('select body from vault_records').get()).toEqual({ body: planted });
    }
    write.run(body);
    expect((await opened.vault.get('local', 's/key'))?.reveal()).toBe('value of s');
    database.close();
  },
);

verifies(['V1', 'attack:H5'], 'two stored secrets that change places do not open', async () => {
  const folder = newFolder();
  await using opened = await openVaultIn(folder);
  const { vault } = opened;
  await vault.set('local', 'cheap/key', new Secret('cheap'));
  await vault.set('local', 'bank/key', new Secret('bank'));
  await using foreign = await openVaultIn(folder, { owner: 'other' });
  await foreign.vault.set('other', 'bank/key', new Secret('of another owner'));
  const database = new DatabaseSync(join(folder, 'plug.db'));
  const rows = database.prepare('select owner, name, version, key_id, body from vault_records').all();
  const write = database.prepare(
    'update vault_records set body = ?, version = ? where owner = ? and name = ?',
  );
  for (const one of rows) {
    for (const two of rows) {
      if (one === two) continue;
      // As it stands, and with the names corrected so that only the seal can tell.
      const named = { ...JSON.parse(String(two['body'])), owner: one['owner'], name: one['name'] } as object;
      for (const body of [String(two['body']), JSON.stringify(named)]) {
        write.run(body, two['version'] as number, one['owner'] as string, one['name'] as string);
        const its = one['owner'] === 'other' ? foreign.vault : vault;
        await expect(its.get(String(one['owner']), String(one['name']))).rejects.toMatchObject({
          code: 'storage_failed',
        });
      }
    }
    write.run(one['body'] as string, one['version'] as number, one['owner'] as string, one['name'] as string);
  }
  database.close();
  expect((await foreign.vault.get('other', 'bank/key'))?.reveal()).toBe('of another owner');
});

verifies(
  ['V1', 'V6', 'attack:H6'],
  'a record restored from before a rotation, or from an older version, is refused',
  async () => {
    const folder = newFolder();
    await using opened = await openVaultIn(folder);
    await opened.vault.set('local', 's/key', new Secret('old'));
    const database = new DatabaseSync(join(folder, 'plug.db'));
    const { body: old } = database.prepare('select body from vault_records').get() as { body: string };
    const restore = database.prepare('update vault_records set body = ?');
    await opened.vault.set('local', 's/key', new Secret('new'));
    restore.run(old);
    await expect(opened.vault.get('local', 's/key')).rejects.toMatchObject({ code: 'storage_failed' });
    await opened.vault.delete('local', 's/key');
    await opened.vault.set('local', 's/key', new Secret('newer'));
    await opened.vault.rotate();
    restore.run(old);
    await expect(opened.vault.get('local', 's/key')).rejects.toMatchObject({ code: 'storage_failed' });
    database.close();
  },
);

verifies(['V1'], 'a wrong or missing master key is said, and nothing in the vault changes', async () => {
  const folder = newFolder();
  const right = { PLUG_MASTER_KEY: randomBytes(32).toString('base64') };
  {
    await using opened = await openVaultIn(folder, { env: right });
    await opened.vault.set('local', 's/key', new Secret('value'));
    expect(await opened.vault.status()).toEqual({ source: 'environment', keys: 1 });
  }
  const before = await stateOf(folder);
  const wrong = { PLUG_MASTER_KEY: randomBytes(32).toString('hex') };
  for (const [env, code] of [
    [wrong, 'denied'],
    [{}, 'missing_input'],
    [{ PLUG_MASTER_KEY: 'short' }, 'bad_config'],
  ] as const) {
    await using opened = await openVaultIn(folder, { env });
    await expect(opened.vault.get('local', 's/key')).rejects.toMatchObject({ code, owner: 'you' });
    await expect(opened.vault.set('local', 's/other', new Secret('x'))).rejects.toMatchObject({ code });
    await expect(opened.vault.rotate()).rejects.toMatchObject({ code });
    // Names need no key.
    expect(await opened.vault.list('local')).toEqual(['s/key']);
  }
  expect(await stateOf(folder)).toEqual(before);
  expect(await readdir(folder)).not.toContain('vault'); // no key file was made in its stead
  await using opened = await openVaultIn(folder, { env: right });
  expect((await opened.vault.get('local', 's/key'))?.reveal()).toBe('value');
});

verifies(['V1'], 'when the keys are gone but secrets are there, no new key is made in silence', async () => {
  const folder = newFolder();
  {
    await using opened = await openVaultIn(folder);
    await opened.vault.set('local', 's/key', new Secret('value'));
  }
  const database = new DatabaseSync(join(folder, 'plug.db'));
  database.exec('delete from vault_key_ring');
  database.close();
  const keyFiles = await readdir(join(folder, 'vault'));
  await using opened = await openVaultIn(folder);
  await expect(opened.vault.get('local', 's/key')).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('the keys that open them are gone'),
  });
  await expect(opened.vault.set('local', 'new', new Secret('x'))).rejects.toMatchObject({
    code: 'storage_failed',
  });
  expect(await readdir(join(folder, 'vault'))).toEqual(keyFiles);
});

verifies(['V6'], 'a rotation seals everything anew while reading and writing go on', async () => {
  const folder = newFolder();
  await using opened = await openVaultIn(folder, { limits: { vaultRotationBatch: 7 } });
  const { vault, storage } = opened;
  for (let index = 0; index < 50; index += 1) {
    await vault.set('local', `s/k${index}`, new Secret(`value ${index}`));
  }
  const version = (await vault.read({ owner: 'local', kind: 'secret', name: 's/k1' }))?.version;
  const old = (await storage.vault.getKeyRing('local'))?.current ?? '';
  const rotation = vault.rotate();
  for (let index = 0; index < 50; index += 1) {
    expect((await vault.get('local', `s/k${index}`))?.reveal()).toBe(`value ${index}`);
    if (index % 10 === 0) await vault.set('local', `s/k${index}`, new Secret(`value ${index}`));
  }
  const { resealed, damaged } = await rotation;
  expect(damaged).toEqual([]);
  expect(resealed).toBeGreaterThanOrEqual(45);
  expect(await storage.vault.listRecordsUnder('local', old, 100)).toEqual([]);
  expect(await vault.status()).toMatchObject({ keys: 1 });
  // Whoever holds a version to compare with does not see the rotation.
  expect((await vault.read({ owner: 'local', kind: 'secret', name: 's/k1' }))?.version).toBe(version);
});

verifies(['V6'], 'a process that missed a rotation reads and writes on, under the new key', async () => {
  const folder = newFolder();
  await using one = await openVaultIn(folder);
  await using two = await openVaultIn(folder);
  await one.vault.set('local', 's/a', new Secret('a'));
  expect((await two.vault.get('local', 's/a'))?.reveal()).toBe('a');
  await one.vault.rotate();
  await two.vault.set('local', 's/b', new Secret('b'));
  expect((await two.vault.get('local', 's/a'))?.reveal()).toBe('a');
  expect((await one.vault.get('local', 's/b'))?.reveal()).toBe('b');
  const current = (await one.storage.vault.getKeyRing('local'))?.current ?? '';
  expect(await one.storage.vault.listRecordsUnder('local', current, 10)).toHaveLength(2);
});

verifies(['V6'], 'an interrupted rotation is taken up again', async () => {
  const folder = newFolder();
  {
    await using opened = await openVaultIn(folder);
    for (let index = 0; index < 20; index += 1) {
      await opened.vault.set('local', `s/k${index}`, new Secret(`value ${index}`));
    }
    await opened.storage.vault.getKeyRing('local');
    const rotation = opened.vault.rotate();
    const stopped = expect(rotation).rejects.toThrow('closing');
    while ((await opened.vault.status()).keys < 2) await Promise.resolve();
    await opened.tasks.close();
    await stopped;
    expect(await opened.vault.status()).toMatchObject({ keys: 2 });
  }
  await using opened = await openVaultIn(folder);
  for (let index = 0; index < 20; index += 1) {
    expect((await opened.vault.get('local', `s/k${index}`))?.reveal()).toBe(`value ${index}`);
  }
  opened.vault.resume();
  await expect.poll(async () => (await opened.vault.status()).keys).toBe(1);
  expect((await opened.vault.get('local', 's/k7'))?.reveal()).toBe('value 7');
});

verifies(['V6'], 'a damaged record does not stop a rotation and keeps its key', async () => {
  const folder = newFolder();
  await using opened = await openVaultIn(folder);
  for (const name of ['a', 'b', 'c']) await opened.vault.set('local', `s/${name}`, new Secret(name));
  const database = new DatabaseSync(join(folder, 'plug.db'));
  database.exec(
    `update vault_records set body = replace(body, '"sealed":"', '"sealed":"x') where name = 's/b'`,
  );
  expect(await opened.vault.rotate()).toEqual({
    resealed: 2,
    damaged: [{ owner: 'local', kind: 'secret', name: 's/b' }],
  });
  expect((await opened.vault.get('local', 's/c'))?.reveal()).toBe('c');
  // Repaired, it opens still.
  database.exec(
    `update vault_records set body = replace(body, '"sealed":"x', '"sealed":"') where name = 's/b'`,
  );
  database.close();
  expect((await opened.vault.get('local', 's/b'))?.reveal()).toBe('b');
});

verifies(
  ['V1', 'attack:H4'],
  'a key is replaced before it has sealed too often, and the count survives restarts',
  async () => {
    const folder = newFolder();
    const limits = { vaultSealsPerKeyMax: 10, vaultSealsReserved: 4 };
    const nonces = new Map<string, Set<string>>();
    for (let round = 0; round < 12; round += 1) {
      await using opened = await openVaultIn(folder, { limits });
      await opened.vault.set('local', 's/key', new Secret(`round ${round}`));
      const record = await opened.storage.vault.getRecord({ owner: 'local', kind: 'secret', name: 's/key' });
      const used = nonces.get(record?.keyId ?? '') ?? new Set();
      nonces.set(record?.keyId ?? '', used.add(nonceOf(record?.sealed ?? '')));
      expect((await opened.vault.get('local', 's/key'))?.reveal()).toBe(`round ${round}`);
    }
    // Each start sets four seals aside, so that a key of ten serves two starts.
    expect(nonces.size).toBeGreaterThanOrEqual(5);
    for (const used of nonces.values()) expect(used.size).toBeLessThanOrEqual(8);
  },
);

verifies(['V1'], 'two processes that make a vault at the same moment end with one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = newFolder();
    await using one = await openVaultIn(folder);
    await using two = await openVaultIn(folder);
    await using three = await openVaultIn(folder);
    const all = [one, two, three];
    await Promise.all(
      all.map(({ vault }, index) => vault.set('local', `s/k${index}`, new Secret(`v${index}`))),
    );
    for (const { vault } of all) {
      for (const index of [0, 1, 2]) {
        expect((await vault.get('local', `s/k${index}`))?.reveal()).toBe(`v${index}`);
      }
      expect(await vault.status()).toMatchObject({ keys: 1 });
    }
    expect(await readdir(join(folder, 'vault'))).toHaveLength(1);
  }
});

test('of two that save over the same version one wins, and the other is told', async () => {
  await using opened = await openVaultIn(newFolder());
  const id = { owner: 'local', kind: 'token', name: 'github/nick/oauth' } as const;
  const first = await opened.vault.swap(id, new Secret('one'));
  expect(first).toBeGreaterThan(0);
  expect(await opened.vault.swap(id, new Secret('two'))).toBeUndefined();
  const results = await Promise.all([
    opened.vault.swap(id, new Secret('left'), first),
    opened.vault.swap(id, new Secret('right'), first),
  ]);
  expect(results.filter((version) => version !== undefined)).toHaveLength(1);
  const winner = results[0] === undefined ? 'right' : 'left';
  expect((await opened.vault.read(id))?.value.reveal()).toBe(winner);
  // A record that was deleted and made anew is not the one that was read before.
  await opened.vault.deleteRecord(id);
  const again = await opened.vault.swap(id, new Secret('again'));
  expect(results).not.toContain(again);
  // Tokens and secrets of one name are two things.
  expect(await opened.vault.get('local', id.name)).toBeUndefined();
});

test('every value that passes through the vault is known to the redactor', async () => {
  const folder = newFolder();
  const redactor = createRedactor();
  {
    await using opened = await openVaultIn(folder);
    await opened.vault.set('local', 'read', new Secret('value-that-is-read'));
  }
  await using opened = await openVaultIn(folder, { redactor });
  await opened.vault.set('local', 'written', new Secret('value-that-is-written'));
  await opened.vault.get('local', 'read');
  expect(redactor.redactText('value-that-is-read value-that-is-written')).toBe('[secret] [secret]');
});

async function stateOf(folder: string): Promise<unknown> {
  const database = new DatabaseSync(join(folder, 'plug.db'), { readOnly: true });
  const rows = ['vault_key_ring', 'vault_keys', 'vault_records'].map((table) =>
    database.prepare(`select * from ${table}`).all(),
  );
  database.close();
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
