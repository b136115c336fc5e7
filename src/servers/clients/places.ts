import { join } from 'node:path';
import type { ClientScope, Machine, Mistake, Place } from './client.ts';
import type { KeyPath, Syntax } from './documents/document.ts';

/** Where programs of the desktop keep their settings on this platform. */
export function settingsFolder({ home, env, platform }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return configFolder({ home, env });
}

/** The XDG specification says that a relative value must be ignored. */
export function configFolder({ home, env }: Pick<Machine, 'home' | 'env'>): string {
  const folder = env['XDG_CONFIG_HOME'];
  return folder?.startsWith('/') ? folder : join(home, '.config');
}

export function jsonPlace(scope: ClientScope, path: string, ...container: KeyPath): Place {
  return { scope, path, syntax: 'json', container };
}

export function yamlPlace(scope: ClientScope, path: string, ...container: KeyPath): Place {
  return { scope, path, syntax: 'yaml', container };
}

export function mistake(path: string, why: string, syntax: Syntax = 'json'): Mistake {
  return { path, why, syntax };
}
