import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits, type Limits } from '../../src/base/limits.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { TaskGroup } from '../../src/base/tasks.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open.ts';
import type { Keyring } from '../../src/vault/keyring.ts';
import type { MasterKeySources } from '../../src/vault/master-key.ts';
import { SealedVault, type SealedVaultOptions } from '../../src/vault/sealed-vault.ts';

export interface OpenedVault extends AsyncDisposable {
  readonly vault: SealedVault;
  readonly storage: Storage;
  readonly tasks: TaskGroup;
  readonly sources: MasterKeySources;
}

/** A vault as a hub would open it, in the given folder, with a key file unless told otherwise. */
export async function openVaultIn(
  folder: string,
  options: Partial<Omit<MasterKeySources, 'limits'>> & {
    readonly storage?: StorageOptions;
    readonly owner?: string;
    readonly limits?: Partial<Limits>;
    readonly redactor?: SealedVaultOptions['redactor'];
  } = {},
): Promise<OpenedVault> {
  const { storage: place = { kind: 'sqlite', file: join(folder, 'plug.db') } } = options;
  const { storage: _place, owner = 'local', redactor, ...given } = options;
  const storage = await openStorage(place);
  const tasks = new TaskGroup(silentLogger);
  const sources: MasterKeySources = {
    env: {},
    folder: join(folder, 'vault'),
    clock: systemClock,
    ids: systemIds,
    ...given,
    limits: { ...limits, ...given.limits },
  };
  const redacting = redactor ? { redactor } : {};
  const vault = new SealedVault({ store: storage.vault, owner, sources, tasks, ...redacting });
  return {
    vault,
    storage,
    tasks,
    sources,
    [Symbol.asyncDispose]: async () => {
      await tasks.close();
      await storage.close();
    },
  };
}

export async function temporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'plug-vault-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Machines that test have no keyring: this one keeps its entries where a test can look. */
export function keyringOf(entries: Map<string, string>): Keyring {
  return {
    create: async (id, value) => {
      entries.set(id, value);
      return true;
    },
    get: async (id) => entries.get(id),
    delete: async (id) => void entries.delete(id),
  };
}
