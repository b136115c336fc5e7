import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { findPaths } from './paths.ts';

verifies(['H5'], 'on Linux, files live where XDG says, each kind in its own place', () => {
  expect(findPaths({ env: {}, platform: 'linux', home: '/home/ann' })).toEqual({
    config: '/home/ann/.config/plugboard',
    data: '/home/ann/.local/share/plugboard',
    state: '/home/ann/.local/state/plugboard',
  });
  const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' };
  expect(findPaths({ env, platform: 'linux', home: '/home/ann' })).toEqual({
    config: '/c/plugboard',
    data: '/d/plugboard',
    state: '/s/plugboard',
  });
});

verifies(['H5'], 'a relative XDG folder is ignored, as the specification demands', () => {
  const env = { XDG_CONFIG_HOME: 'relative' };
  expect(findPaths({ env, platform: 'linux', home: '/home/ann' }).config).toBe('/home/ann/.config/plugboard');
});

verifies(['H5'], 'macOS and Windows have their own places', () => {
  const mac = findPaths({ env: {}, platform: 'darwin', home: '/Users/ann' });
  expect(mac.data).toBe('/Users/ann/Library/Application Support/Plugboard');
  const windows = findPaths({ env: { APPDATA: '/r', LOCALAPPDATA: '/l' }, platform: 'win32', home: '/u' });
  expect(windows).toEqual({ config: '/r/Plugboard', data: '/l/Plugboard', state: '/l/Plugboard' });
});

verifies(['H5'], 'PLUG_HOME moves every file into one folder, on every platform', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const paths = findPaths({ env: { PLUG_HOME: '/one', XDG_DATA_HOME: '/d' }, platform, home: '/h' });
    expect(paths).toEqual({ config: '/one', data: '/one', state: '/one' });
  }
});
