import crypto from 'node:crypto';
import { PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import type { Secret } from '../base/secret.ts';
import { KEY_BYTES, keyFrom } from './seal.ts';
import { secretBytes } from '../base/ids.ts';

/** How a passphrase becomes a key. Stored, so that the parameters can change later. */
export type Derivation =
  | {
      readonly kind: 'argon2id';
      readonly salt: string;
      readonly memoryKib: number;
      readonly passes: number;
      readonly parallelism: number;
    }
  | { readonly kind: 'scrypt'; readonly salt: string; readonly cost: number; readonly blockSize: number };

const HAS_ARGON2 = 'argon2' in crypto;

/** The second recommended option of RFC 9106, section 4: for machines with little memory. */
const ARGON2ID = { memoryKib: 64 * 1024, passes: 3, parallelism: 4 } as const;
const SCRYPT = { cost: 2 ** 17, blockSize: 8 } as const;

export function newDerivation(
  passphrase: Secret,
  limits: Limits,
  kind: Derivation['kind'] = HAS_ARGON2 ? 'argon2id' : 'scrypt',
): Derivation {
  if (passphrase.reveal().length < limits.passphraseCharsMin) {
    throw new PlugError('usage', 'This passphrase is too short.', {
      owner: 'you',
      remedy: `Choose one of at least ${limits.passphraseCharsMin} characters; several words are best.`,
    });
  }
  const salt = secretBytes(16).toString('base64url');
  return kind === 'argon2id' ? { kind, salt, ...ARGON2ID } : { kind, salt, ...SCRYPT };
}

export async function deriveKey(
  passphrase: Secret,
  derivation: Derivation,
  limits: Limits,
): Promise<crypto.KeyObject> {
  checkCost(derivation, limits);
  // The same passphrase may be typed with composed or decomposed letters.
  const text = Buffer.from(passphrase.reveal().normalize('NFKC'));
  try {
    return keyFrom(await derive(text, derivation));
  } finally {
    text.fill(0);
  }
}

function derive(text: Buffer, derivation: Derivation): Promise<Buffer> {
  const salt = Buffer.from(derivation.salt, 'base64url');
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => (error ? reject(error) : resolve(key));
    if (derivation.kind === 'scrypt') {
      const { cost: N, blockSize: r } = derivation;
      crypto.scrypt(text, salt, KEY_BYTES, { N, r, p: 1, maxmem: 256 * N * r }, done);
      return;
    }
    if (!HAS_ARGON2) return reject(tooOldNode());
    const { memoryKib, passes, parallelism } = derivation;
    crypto.argon2(
      'argon2id',
      { message: text, nonce: salt, memory: memoryKib, passes, parallelism, tagLength: KEY_BYTES },
      done,
    );
  });
}

/** The parameters come from the database: changed ones must not fill the memory. */
function checkCost(derivation: Derivation, limits: Limits): void {
  const [memoryKib, passes] =
    derivation.kind === 'argon2id'
      ? [derivation.memoryKib, derivation.passes * derivation.parallelism]
      : [(derivation.cost * derivation.blockSize) / 8, 1];
  if (memoryKib <= limits.passphraseMemoryKibMax && passes <= limits.passphrasePassesMax) return;
  throw new PlugError('storage_failed', 'The vault asks for more memory than a passphrase can need.', {
    owner: 'you',
    remedy: 'Restore the database from a backup: its vault was changed from outside.',
  });
}

function tooOldNode(): PlugError {
  return new PlugError('unsupported', 'The passphrase of this vault needs Argon2, which this Node lacks.', {
    owner: 'you',
    remedy: 'Run Plugboard with Node 24 or later.',
  });
}
