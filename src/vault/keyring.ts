import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';

/** Keychain, Credential Manager or Secret Service. */
export interface Keyring {
  /** False when this keyring cannot be used. */
  create(id: string, value: string): Promise<boolean>;
  /** Undefined when the key is not there or the keyring does not answer. */
  get(id: string): Promise<string | undefined>;
  delete(id: string): Promise<void>;
}

/** The keyring of this machine. A missing, locked or silent keyring is never an error and never a hang. */
export function systemKeyring(options: {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly load?: () => Promise<KeyringModule>;
}): Keyring {
  const { clock, limits, load = () => import('@napi-rs/keyring') } = options;
  type Question<T> = (module: KeyringModule) => Promise<T>;
  const ask = async <T>(ms: number, question: Question<T>): Promise<T | undefined> => {
    const timer = new AbortController();
    const late = clock.sleep(ms, timer.signal).then(
      () => undefined,
      () => undefined, // aborted below: the race is already decided
    );
    const answer = load().then(question);
    ignore(answer, 'a keyring that fails is a keyring that is not there, see below');
    try {
      return await Promise.race([answer, late]);
    } catch {
      return undefined; // no package, no bus, no permission, locked: the next source takes over
    } finally {
      timer.abort();
    }
  };
  return {
    create: async (id, value) => {
      const kept = await ask(limits.keyringTimeoutMs, async (module) => {
        await entryOf(module, id).setPassword(value);
        // Some keyrings accept everything and keep nothing.
        return entryOf(module, id).getPassword();
      });
      return kept === value;
    },
    get: async (id) =>
      (await ask(limits.keyringUnlockMs, (module) => entryOf(module, id).getPassword())) ?? undefined,
    delete: async (id) => {
      await ask(limits.keyringTimeoutMs, (module) => entryOf(module, id).deletePassword());
    },
  };
}

export interface KeyringModule {
  readonly AsyncEntry: new (
    service: string,
    user: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => {
    setPassword(value: string): Promise<void>;
    getPassword(): Promise<string | null>;
    deletePassword(): Promise<boolean>;
  };
}

/** By default the package falls back to the kernel's keyring on Linux, which a reboot empties. */
function entryOf(module: KeyringModule, id: string): InstanceType<KeyringModule['AsyncEntry']> {
  return new module.AsyncEntry('plugboard', id, { linux: { store: 'secret-service' } });
}
