import type { PlugError } from '../base/errors.ts';

/** Whether only the vault's passphrase is missing. */
export function isLockedVault({ code, details }: Pick<PlugError, 'code' | 'details'>): boolean {
  return code === 'missing_input' && details?.['source'] === 'passphrase';
}
