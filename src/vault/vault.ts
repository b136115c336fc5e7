import type { Secret } from '../base/secret.ts';

/** Secrets by name. Values come out only through this interface. */
export interface Vault {
  get(owner: string, name: string): Promise<Secret | undefined>;
  set(owner: string, name: string, value: Secret): Promise<void>;
  delete(owner: string, name: string): Promise<boolean>;
  /** Names only, sorted. */
  list(owner: string): Promise<readonly string[]>;
}
