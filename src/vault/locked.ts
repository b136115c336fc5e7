import type { PlugError } from '../base/errors.ts';

/** Whether nothing is wrong but that somebody has to give the vault's passphrase. */
export function isLockedVault({ code, details }: Pick<PlugError, 'code' | 'details'>): boolean {
  return code === 'missing_input' && details?.['source'] === 'passphrase';
}
