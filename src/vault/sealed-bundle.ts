import { assert, PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import type { Secret } from '../base/secret.ts';
import { deriveKey, newDerivation, type Derivation } from './passphrase.ts';
import { seal, unseal } from './seal.ts';

/** A text sealed under its own passphrase, with everything else that is needed to open it elsewhere. */
export interface SealedBundle {
  readonly derivation: ScryptDerivation;
  /** A fixed text under the same key: it tells a wrong passphrase from a changed bundle. */
  readonly check: string;
  readonly sealed: string;
}

/** Every Node can open it, unlike Argon2. */
export type ScryptDerivation = Extract<Derivation, { readonly kind: 'scrypt' }>;

export interface BundleOptions {
  readonly passphrase: Secret;
  /** The bundle opens only beside this text. */
  readonly about: string;
  readonly limits: Limits;
}

export async function sealBundle(text: string, options: BundleOptions): Promise<SealedBundle> {
  const { passphrase, about, limits } = options;
  const derivation = newDerivation(passphrase, limits, 'scrypt');
  assert(derivation.kind === 'scrypt', 'scrypt was asked for');
  const key = await deriveKey(passphrase, derivation, limits);
  return {
    derivation,
    check: seal(key, Buffer.from(CHECK), CHECK),
    sealed: seal(key, Buffer.from(text), contextOf(about)),
  };
}

/** Fails for another passphrase, or when the bundle or what it belongs to was changed. */
export async function openBundle(bundle: SealedBundle, options: BundleOptions): Promise<string> {
  const { passphrase, about, limits } = options;
  const key = await deriveKey(passphrase, bundle.derivation, limits);
  if (!unseal(key, bundle.check, CHECK)) {
    throw new PlugError('denied', 'This passphrase does not open the backup. Nothing was changed.', {
      owner: 'you',
      remedy: 'Try again with the passphrase that the backup was made with.',
    });
  }
  const plain = unseal(key, bundle.sealed, contextOf(about));
  if (!plain) {
    throw new PlugError('denied', CHANGED, {
      owner: 'you',
      remedy: 'Use another copy of the backup, or restore without the passphrase and look at the plan well.',
    });
  }
  const text = plain.toString('utf8');
  plain.fill(0);
  return text;
}

const CHECK = 'plugboard bundle';
const CHANGED =
  'The passphrase is right, but the backup was changed since it was made. Nothing was restored.';

function contextOf(about: string): string {
  return JSON.stringify([CHECK, about]);
}
