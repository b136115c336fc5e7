import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Secret } from '../../src/base/secret.ts';
import type { StorageOptions } from '../../src/storage/open.ts';
import { openVaultIn } from './vault-store-open.ts';

// One that is killed would never write what it compiled, and the next would compile it again.
flushCompileCache();

// A process of its own that writes secrets and acknowledges each on a line, as fast as it can, and
// rotates the keys all the while. Arguments: the folder, the storage's options as JSON, the prefix
// of the secrets' names. It goes on until it is killed.
const [folder = '', storage = '', prefix = ''] = process.argv.slice(2);
const { vault } = await openVaultIn(folder, { storage: JSON.parse(storage) as StorageOptions });

await Promise.all([write(), rotate()]);

async function write(): Promise<void> {
  for (let index = 0; ; index += 1) {
    const name = `${prefix}/k${index}`;
    await vault.set('local', name, new Secret(`value of ${name}`));
    // Replaced, too: what was acknowledged last is what counts.
    await vault.set('local', `shared/${prefix}`, new Secret(`${index}`));
    writeSync(1, `${name}\n`);
  }
}

async function rotate(): Promise<void> {
  for (;;) {
    await vault.rotate();
    writeSync(1, 'rotated\n');
  }
}
