import type { Storage } from '../storage.ts';
import { MemoryAccountStore } from './accounts.ts';
import { MemoryConnectionStore } from './connections.ts';
import { MemoryRegistryStore } from './registry.ts';
import { MemoryServerStore } from './servers.ts';
import { MemoryVaultStore } from './vault.ts';

/** For tests and for libraries that keep their own truth: everything is gone at the end. */
export function openMemory(): Storage {
  const close = (): Promise<void> => Promise.resolve();
  return {
    kind: 'memory',
    servers: new MemoryServerStore(),
    vault: new MemoryVaultStore(),
    accounts: new MemoryAccountStore(),
    connections: new MemoryConnectionStore(),
    registry: new MemoryRegistryStore(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
