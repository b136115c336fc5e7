import type { PlugError } from '../base/errors.ts';

export function isLockedVault({ code, details }: Pick<PlugError, 'code' | 'details'>): boolean {
  return code === 'missing_input' && details?.['source'] === 'passphrase';
}
