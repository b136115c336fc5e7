import type { Session } from './session.ts';

/** `--remote-only`, or PLUG_REMOTE_ONLY: nothing may run on this machine. */
export function isRemoteOnly(flag: boolean | undefined, { env }: Pick<Session, 'env'>): boolean {
  const set = env['PLUG_REMOTE_ONLY'];
  return flag === true || (set !== undefined && set !== '' && set !== '0' && set !== 'false');
}
