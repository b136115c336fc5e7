import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { nonceOf } from '../../test/contracts/nonce-of.ts';
import { newNonce, seal, unseal } from './seal.ts';

const key = createSecretKey(randomBytes(32));

test('whatever is sealed comes back under the same key and context, and under no other', () => {
  const other = createSecretKey(randomBytes(32));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string(), (plain, context, wrong) => {
      const sealed = seal(key, plain, context);
      expect(unseal(key, sealed, context)).toEqual(Buffer.from(plain));
      expect(unseal(other, sealed, context)).toBeUndefined();
      if (wrong !== context) expect(unseal(key, sealed, wrong)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

verifies(
  ['V1', 'attack:H2'],
  'a sealed text with any one bit or any one character changed does not open',
  () => {
    const sealed = seal(key, Buffer.from('a secret of the user'), 'context');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(unseal(key, changed.toString('base64url'), 'context')).toBeUndefined();
      }
    }
    // The text itself: also spellings that a tolerant decoder would take for the same.
    for (let at = 0; at < sealed.length; at += 1) {
      for (const char of ['A', '=', ' ', '\n', '~']) {
        if (sealed[at] === char) continue;
        expect(unseal(key, sealed.slice(0, at) + char + sealed.slice(at + 1), 'context')).toBeUndefined();
      }
      expect(unseal(key, sealed.slice(0, at), 'context')).toBeUndefined();
    }
    expect(unseal(key, `${sealed}=`, 'context')).toBeUndefined();
    expect(unseal(key, sealed, 'context')?.toString()).toBe('a secret of the user');
  },
);

verifies(['V1', 'attack:H3'], 'a tag of four bytes is refused although it is right', () => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
  cipher.setAAD(Buffer.from('context'));
  const body = Buffer.concat([cipher.update('sixteen bytes ok'), cipher.final()]);
  const tag = cipher.getAuthTag();
  const withTag = (bytes: number): string =>
    Buffer.concat([Buffer.from([1]), nonce, tag.subarray(0, bytes), body]).toString('base64url');
  expect(unseal(key, withTag(16), 'context')?.toString()).toBe('sixteen bytes ok');
  for (const bytes of [0, 4, 8, 12, 15]) expect(unseal(key, withTag(bytes), 'context')).toBeUndefined();
});

verifies(
  ['V1', 'attack:H4'],
  'in a million nonces none comes twice, and every seal has one of its own',
  () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 1_000_000; count += 1) nonces.add(newNonce().toString('latin1'));
    expect(nonces.size).toBe(1_000_000);
    const used = Array.from({ length: 10_000 }, () => nonceOf(seal(key, Buffer.from('x'), '')));
    expect(new Set(used).size).toBe(10_000);
  },
  60_000,
);
