import { expect, test } from 'vitest';
import { limits } from '../base/limits.ts';
import { Secret } from '../base/secret.ts';
import { verifies } from '../../test/requirements.ts';
import { patience } from '../../test/suite/patience.ts';
import { openBundle, sealBundle } from './sealed-bundle.ts';

const passphrase = new Secret('four quiet words here');
const options = { passphrase, about: 'this backup', limits };

verifies(
  ['H5'],
  'a sealed bundle holds nothing readable and opens for its passphrase alone',
  async () => {
    const text = 'the key is hunter2 ☕';
    const bundle = await sealBundle(text, options);
    expect(JSON.stringify(bundle)).not.toContain('hunter2');
    expect(bundle.derivation).toMatchObject({ kind: 'scrypt', cost: 2 ** 17, blockSize: 8 });
    expect(await openBundle(bundle, options)).toBe(text);
    // The same passphrase, typed with composed letters or without.
    const accents = { ...options, passphrase: new Secret('cafe\u0301 au lait') };
    const composed = { ...options, passphrase: new Secret('caf\u00e9 au lait') };
    expect(await openBundle(await sealBundle(text, accents), composed)).toBe(text);
    const other = await sealBundle(text, options);
    expect(other.sealed).not.toBe(bundle.sealed);
    expect(other.derivation.salt).not.toBe(bundle.derivation.salt);
  },
  30_000,
);

test(
  'a wrong passphrase and a changed bundle are told apart',
  async () => {
    const bundle = await sealBundle('text', options);
    const wrong = { ...options, passphrase: new Secret('four loud words here') };
    await expect(openBundle(bundle, wrong)).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('does not open') as string,
    });
    const moved = openBundle(bundle, { ...options, about: 'another backup' });
    await expect(moved).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('was changed') as string,
    });
    const swapped = { ...bundle, sealed: (await sealBundle('text', options)).sealed };
    await expect(openBundle(swapped, options)).rejects.toMatchObject({ code: 'denied' });
    await expect(sealBundle('x', { ...options, passphrase: new Secret('short') })).rejects.toMatchObject({
      code: 'usage',
    });
  },
  patience(90_000),
);
