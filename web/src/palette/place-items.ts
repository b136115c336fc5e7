import { places } from '../frame/places.ts';
import type { IconName } from '../parts/icon.tsx';
import { setTheme } from '../settings/theme.ts';
import type { PaletteItem } from './item.ts';

/** The places of the page, and what can be done from anywhere. */
export function placeItems(go: (to: string) => void): readonly PaletteItem[] {
  return [
    ...ACTIONS.map(([label, icon, to]) => ({
      id: `do ${label}`,
      label,
      group: 'Do' as const,
      icon,
      run: () => go(to),
    })),
    ...PLACES.map(([label, icon, to, more]) => ({
      id: to,
      label,
      group: 'Go to' as const,
      icon,
      run: () => go(to),
      ...(more === undefined ? {} : { more }),
    })),
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      id: `theme ${theme}`,
      label: theme === 'system' ? 'System theme' : `Theme: ${theme}`,
      group: 'Do' as const,
      icon: 'eye' as const,
      run: () => setTheme(theme),
    })),
  ];
}

const ACTIONS: readonly (readonly [string, IconName, string])[] = [
  ['Add a server', 'plus', places.add],
  ['Add servers in a conversation', 'wand', places.setup],
  ['Add a model', 'plus', `${places.settings}/models`],
  ['Make a backup', 'copy', `${places.settings}/backup`],
  ['Undo the last change', 'pulse', `${places.activity}?tab=changes`],
  ['Find problems (doctor)', 'search', `${places.settings}/doctor`],
];

const PLACES: readonly (readonly [string, IconName, string, string?])[] = [
  ['Chat', 'chat', places.chat, 'g c'],
  ['Servers', 'plug', places.servers, 'g s'],
  ['Add servers', 'plus', places.setup, 'g u'],
  ['Activity', 'pulse', places.activity, 'g a'],
  ['Events', 'pulse', `${places.activity}?tab=events`],
  ['Approvals', 'check', places.approvals, 'g p'],
  ['Grants', 'key', places.grants, 'g g'],
  ['Settings', 'gear', places.settings, 'g t'],
  ['Settings: Models', 'gear', `${places.settings}/models`],
  ['Settings: Profiles', 'gear', `${places.settings}/profiles`],
  ['Settings: Connect other apps', 'gear', `${places.settings}/apps`],
  ['Settings: Registries', 'gear', `${places.settings}/registries`],
  ['Settings: Retention', 'gear', `${places.settings}/retention`],
  ['Settings: Vault', 'gear', `${places.settings}/vault`],
  ['Settings: Appearance', 'gear', `${places.settings}/appearance`],
  ['Settings: About', 'gear', `${places.settings}/about`],
];
