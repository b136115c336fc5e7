import { join } from 'node:path';
import type { ClientScope, Machine, Mistake, ClientPlace } from './client.ts';
import type { KeyPath, Syntax } from './documents/document.ts';

export function settingsFolder({ home, env, platform }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return configFolder({ home, env });
}

/** The XDG specification: a relative value must be ignored. */
export function configFolder({ home, env }: Pick<Machine, 'home' | 'env'>): string {
  const folder = env['XDG_CONFIG_HOME'];
  return folder?.startsWith('/') ? folder : join(home, '.config');
}

type PlaceMaker = (scope: ClientScope, path: string, ...container: KeyPath) => ClientPlace;

export const jsonPlace: PlaceMaker = placeIn('json');
export const yamlPlace: PlaceMaker = placeIn('yaml');
export const tomlPlace: PlaceMaker = placeIn('toml');

function placeIn(syntax: Syntax): PlaceMaker {
  return (scope, path, ...container) => ({ scope, path, syntax, container });
}

/** A file that each folder below another one may have. */
export function inEachPlace(folder: string, file: string, ...container: KeyPath): ClientPlace {
  return { ...jsonPlace('user', folder, ...container), inEach: file };
}

export function inFolders(folders: readonly string[], files: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => files.map((file) => join(folder, file)));
}

export function mistakesAt(why: string, ...paths: readonly string[]): readonly Mistake[] {
  return paths.map((path) => ({ path, why, syntax: 'json' }));
}
