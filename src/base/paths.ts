import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where our files live. */
export interface Paths {
  /** The user's own config: mcp.json. */
  readonly config: string;
  /** What we must not lose: the database, the vault. */
  readonly data: string;
  /** What is worth keeping but can be lost: logs, hub state. */
  readonly state: string;
}

export interface PathsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home?: string;
}

/** `PLUG_HOME` holds everything when set; otherwise each platform's own places. */
export function findPaths({ env, platform, home = homedir() }: PathsOptions): Paths {
  if (env['PLUG_HOME']) {
    const all = resolve(env['PLUG_HOME']);
    return { config: all, data: all, state: all };
  }
  if (platform === 'darwin') {
    const all = join(home, 'Library', 'Application Support', 'Plugboard');
    return { config: all, data: all, state: all };
  }
  if (platform === 'win32') {
    const roaming = join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Plugboard');
    const local = join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Plugboard');
    return { config: roaming, data: local, state: local };
  }
  return {
    config: join(xdg(env['XDG_CONFIG_HOME'], home, '.config'), 'plugboard'),
    data: join(xdg(env['XDG_DATA_HOME'], home, '.local/share'), 'plugboard'),
    state: join(xdg(env['XDG_STATE_HOME'], home, '.local/state'), 'plugboard'),
  };
}

/** The XDG specification says that a relative value must be ignored. */
function xdg(value: string | undefined, home: string, fallback: string): string {
  return value?.startsWith('/') ? value : join(home, fallback);
}
