import { CountedAccounts } from '../counted-accounts.ts';
import type { Storage } from '../storage.ts';
import { MemoryAccountStore } from './accounts.ts';
import { MemoryAuditStore } from './audit.ts';
import { MemoryConnectionStore } from './connections.ts';
import { MemoryModelStore } from './models.ts';
import { MemoryLearnedStore } from './learned.ts';
import { MemoryPolicyStore } from './policy.ts';
import { MemoryRegistryStore } from './registry.ts';
import { MemoryResultStore } from './results.ts';
import { MemoryServerStore } from './servers.ts';
import { MemoryToolStore } from './tools.ts';
import { MemoryVaultStore } from './vault.ts';

/** For tests and for libraries that keep their own truth: everything is gone at the end. */
export function openMemory(): Storage {
  const close = (): Promise<void> => Promise.resolve();
  return {
    kind: 'memory',
    servers: new MemoryServerStore(),
    vault: new MemoryVaultStore(),
    accounts: new CountedAccounts(new MemoryAccountStore()),
    connections: new MemoryConnectionStore(),
    registry: new MemoryRegistryStore(),
    tools: new MemoryToolStore(),
    learned: new MemoryLearnedStore(),
    policy: new MemoryPolicyStore(),
    audit: new MemoryAuditStore(),
    results: new MemoryResultStore(),
    models: new MemoryModelStore(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
