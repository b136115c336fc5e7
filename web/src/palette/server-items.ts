import { places } from '../frame/places.ts';
import type { Hub, ServerView } from '../hub/hub-context.tsx';
import { STATES } from '../parts/state-badge.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { PaletteItem } from './item.ts';

interface Doing {
  readonly go: (to: string) => void;
  /** Does it in the background, and says how it ended. */
  readonly act: (what: string, work: (hub: Hub) => Promise<unknown>) => void;
}

/** Each server, and what can be done with it as it is now. */
export function serverItems(servers: readonly ServerView[], { go, act }: Doing): readonly PaletteItem[] {
  return servers.flatMap(({ id, name, state, enabled }) => {
    const item = (verb: string, icon: IconName, run: () => void): PaletteItem => ({
      id: `${verb} ${id}`,
      label: `${verb} ${name}`,
      group: 'Servers',
      icon,
      more: STATES[state.kind].word,
      run,
    });
    const work = (
      verb: string,
      done: string,
      icon: IconName,
      run: (hub: Hub) => Promise<unknown>,
    ): PaletteItem => item(verb, icon, () => act(`${name} ${done}`, run));
    return [
      item('Open', 'plug', () => go(places.server(id))),
      ...(state.kind === 'needs-sign-in'
        ? [item('Sign in to', 'key', () => go(places.server(id, 'accounts')))]
        : []),
      ...(isLive(state.kind)
        ? [
            work('Stop', 'is stopped', 'stop', (hub) => hub.servers.stop({ id })),
            work('Restart', 'is restarted', 'retry', (hub) => hub.servers.restart({ id })),
          ]
        : enabled
          ? [work('Start', 'is started', 'right', (hub) => hub.servers.start({ id }))]
          : []),
      enabled
        ? work('Switch off', 'is off', 'close', (hub) => hub.servers.disable({ id }))
        : work('Switch on', 'is on', 'check', (hub) => hub.servers.enable({ id })),
    ];
  });
}

function isLive(kind: ServerView['state']['kind']): boolean {
  return kind === 'ready' || kind === 'degraded' || kind === 'starting';
}
