import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Paths {
  /** The user's own config: mcp.json. */
  readonly config: string;
  /** Must not be lost: the database, the vault. */
  readonly data: string;
  /** May be lost: logs, hub state. */
  readonly state: string;
}

export interface PathsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home?: string;
}

/** `PLUG_HOME` holds everything when set; otherwise each platform's own places. */
export function findPaths({ env, platform, home = homedir() }: PathsOptions): Paths {
  const inOne = (folder: string): Paths => ({ config: folder, data: folder, state: folder });
  if (env['PLUG_HOME']) return inOne(resolve(env['PLUG_HOME']));
  if (platform === 'darwin') return inOne(join(home, 'Library', 'Application Support', 'Plugboard'));
  if (platform === 'win32') {
    const roaming = join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Plugboard');
    const local = join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Plugboard');
    return { config: roaming, data: local, state: local };
  }
  // The XDG specification says that a relative value must be ignored.
  const xdg = (value: string | undefined, fallback: string): string =>
    join(value?.startsWith('/') ? value : join(home, fallback), 'plugboard');
  return {
    config: xdg(env['XDG_CONFIG_HOME'], '.config'),
    data: xdg(env['XDG_DATA_HOME'], '.local/share'),
    state: xdg(env['XDG_STATE_HOME'], '.local/state'),
  };
}
