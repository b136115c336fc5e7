import type { Core } from './core.ts';
import { isRemoteOnly } from './remote-only.ts';
import type { Retention, Settings, SettingsApi } from './settings.ts';

/** What holds for all faces. */
export function settingsOf(core: Core): SettingsApi {
  const { settings, deciding, tasks } = core;
  const shown = (retention: Retention): Settings => ({ retention, remoteOnly: isRemoteOnly(core) });
  return {
    get: async () => shown(await settings.read()),
    change: async (change) => {
      const retention = await settings.change(change);
      // What is older than it may be from now on need not wait for the next round.
      tasks.run('remove what is kept no longer', async () => {
        await deciding.audit.prune();
        await deciding.results.prune();
      });
      return shown(retention);
    },
  };
}
