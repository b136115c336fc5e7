import { PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import type { Secret } from '../base/secret.ts';
import { deriveKey, newDerivation, type Derivation } from './passphrase.ts';
import { seal, unseal } from './seal.ts';

/**
 * A text that travels: sealed under a passphrase of its own, with everything that is needed to
 * open it elsewhere but the passphrase.
 */
export interface SealedBundle {
  readonly derivation: ScryptDerivation;
  /** A fixed text under the same key: it tells a wrong passphrase from a changed bundle. */
  readonly check: string;
  readonly sealed: string;
}

/** Every Node can open it; Argon2 is not everywhere. */
export type ScryptDerivation = Extract<Derivation, { readonly kind: 'scrypt' }>;

export interface BundleOptions {
  readonly passphrase: Secret;
  /** What the bundle belongs to: it opens beside nothing else. */
  readonly about: string;
  readonly limits: Limits;
}

export async function sealBundle(text: string, options: BundleOptions): Promise<SealedBundle> {
  const { passphrase, about, limits } = options;
  const derivation = newDerivation(passphrase, limits, 'scrypt');
  if (derivation.kind !== 'scrypt') throw new Error('Invariant broken: scrypt was asked for');
  const key = await deriveKey(passphrase, derivation, limits);
  return {
    derivation,
    check: seal(key, Buffer.from(CHECK), CHECK),
    sealed: seal(key, Buffer.from(text), contextOf(about)),
  };
}

/** Fails when the passphrase is another one, or when anything that it belongs to was changed. */
export async function openBundle(bundle: SealedBundle, options: BundleOptions): Promise<string> {
  const { passphrase, about, limits } = options;
  const key = await deriveKey(passphrase, bundle.derivation, limits);
  if (!unseal(key, bundle.check, CHECK)) throw wrongPassphrase();
  const plain = unseal(key, bundle.sealed, contextOf(about));
  if (!plain) throw changedBundle();
  const text = plain.toString('utf8');
  plain.fill(0);
  return text;
}

const CHECK = 'plugboard bundle';

function contextOf(about: string): string {
  return JSON.stringify([CHECK, about]);
}

function wrongPassphrase(): PlugError {
  return new PlugError('denied', 'This passphrase does not open the backup. Nothing was changed.', {
    owner: 'you',
    remedy: 'Try again with the passphrase that the backup was made with.',
  });
}

function changedBundle(): PlugError {
  return new PlugError(
    'denied',
    'The passphrase is right, but the backup was changed since it was made. Nothing was restored.',
    {
      owner: 'you',
      remedy: 'Use another copy of the backup, or restore without the passphrase and look at the plan well.',
    },
  );
}
