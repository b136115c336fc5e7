import { createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { report } from './figure.ts';
import { interleave } from './measure.ts';
import { product, temporaryHome } from './product.ts';

/** What it costs to get a secret out of the vault, and to keep secrets out of a log line. */
const ROUNDS = 15;
const REPEATS = 2_000;
const READS = 200;
const CHARS = 64 * 1024;

using home = temporaryHome();
const { newDataKey } = await product<typeof import('../src/vault/seal.ts')>('vault/seal');
const { sealRecord, unsealRecord } = await product<typeof import('../src/vault/record.ts')>('vault/record');
const { SealedVault } = await product<typeof import('../src/vault/sealed-vault.ts')>('vault/sealed-vault');
const { Secret } = await product<typeof import('../src/base/secret.ts')>('base/secret');
const { TaskGroup } = await product<typeof import('../src/base/tasks.ts')>('base/tasks');
const { silentLogger } = await product<typeof import('../src/base/logger.ts')>('base/logger');
const { systemClock: clock } = await product<typeof import('../src/base/clock.ts')>('base/clock');
const { systemIds: ids } = await product<typeof import('../src/base/ids.ts')>('base/ids');
const { limits } = await product<typeof import('../src/base/limits.ts')>('base/limits');
const { createRedactor } = await product<typeof import('../src/base/redact.ts')>('base/redact');
const { openStorage } = await product<typeof import('../src/storage/open.ts')>('storage/open');

const id = { owner: 'local', kind: 'token', name: 'github/nick/oauth' } as const;
const token = new Secret(randomBytes(300).toString('base64'));
const key = newDataKey('key_1');
const record = sealRecord(id, token, { version: 1, key });

await using storage = await openStorage({ kind: 'sqlite', file: join(home.path, 'plug.db') });
const tasks = new TaskGroup(silentLogger);
const sources = { env: {}, folder: join(home.path, 'vault'), clock, ids, limits };
const vault = new SealedVault({ store: storage.vault, owner: 'local', sources, tasks });
await vault.write(id, token);

const redactor = createRedactor();
for (let index = 0; index < 200; index += 1)
  redactor.learn(`sk-proj-${randomBytes(24).toString('base64url')}`);
const line = randomBytes(CHARS).toString('hex').slice(0, CHARS);

const bare = bareDecryption();
const time = await interleave(
  {
    unseal: () => perCall(REPEATS, () => unsealRecord(id, record, key)),
    bare: () => perCall(REPEATS, bare),
    read: () => perRead(),
    redact: () => perCall(5, () => redactor.redactText(line)) / (CHARS / 1024),
  },
  { rounds: ROUNDS, warmUps: 3 },
);
await tasks.close();
report([
  {
    name: 'unseal a credential in memory, against bare AES-GCM',
    unit: 'µs',
    measured: time.unseal,
    floor: time.bare,
    target: { max: 50 },
  },
  { name: 'read and unseal a credential from SQLite', unit: 'µs', measured: time.read },
  { name: 'redact 1 KiB of text with 200 known secrets', unit: 'µs', measured: time.redact },
]);

function perCall(repeats: number, work: () => unknown): number {
  const started = performance.now();
  for (let count = 0; count < repeats; count += 1) work();
  return ((performance.now() - started) / repeats) * 1000;
}

async function perRead(): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < READS; count += 1) await vault.read(id);
  return ((performance.now() - started) / READS) * 1000;
}

/** The least that it could be: the same bytes through the same cipher, with nothing around. */
function bareDecryption(): () => unknown {
  const bytes = Buffer.from(record.sealed, 'base64url');
  const other = createSecretKey(key.key.export());
  return () => {
    const decipher = createDecipheriv('aes-256-gcm', other, bytes.subarray(1, 13), { authTagLength: 16 });
    return decipher.update(bytes.subarray(29));
  };
}
