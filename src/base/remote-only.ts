/** PLUG_REMOTE_ONLY: nothing may run on this machine. Teams and hosted hubs set it. */
export function isRemoteOnly(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(env['PLUG_REMOTE_ONLY'] ?? '');
}
