import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { childEnvironment, withNpmPatience, type EnvironmentOptions } from './environment.ts';

const envOf = (given: Partial<EnvironmentOptions>): Record<string, string> =>
  childEnvironment({ hubEnv: {}, declared: {}, path: '/usr/bin', platform: 'linux', ...given });

verifies(
  ['C13', 'attack:D1'],
  'a server sees the allow-listed variables, the PATH and what it declares, nothing else',
  () => {
    const hubEnv = {
      HOME: '/home/me',
      PATH: '/hub/bin',
      LC_ALL: 'C',
      XDG_RUNTIME_DIR: '/run/me',
      https_proxy: 'http://proxy',
      AWS_SECRET_ACCESS_KEY: 'canary',
      OPENAI_API_KEY: 'canary',
      NODE_OPTIONS: '--require /evil.js',
      LD_PRELOAD: '/evil.so',
      PLUG_TREE: 'tree_outer',
      LANG: '() { evil; }',
    };
    expect(envOf({ hubEnv, declared: { TOKEN: 't' }, path: '/login/bin' })).toEqual({
      HOME: '/home/me',
      LC_ALL: 'C',
      XDG_RUNTIME_DIR: '/run/me',
      https_proxy: 'http://proxy',
      PATH: '/login/bin',
      TOKEN: 't',
    });
  },
);

verifies(
  ['C13', 'attack:C7'],
  'variables that make a command run other code are refused by name, unless granted',
  () => {
    const dangerous = ['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS'];
    for (const name of [
      ...dangerous,
      'BASH_ENV',
      'PYTHONSTARTUP',
      'PERL5OPT',
      'RUBYOPT',
      'GIT_SSH_COMMAND',
    ]) {
      const declared = { [name]: '/tmp/x' };
      expect(() => envOf({ declared })).toThrow(
        expect.objectContaining({ code: 'bad_config', owner: 'you', message: expect.stringContaining(name) }),
      );
      expect(envOf({ declared, allowDangerousEnv: [name] })[name]).toBe('/tmp/x');
    }
  },
);

test('ENV=production is a setting; ENV with a path is a file that a shell would run', () => {
  expect(envOf({ declared: { ENV: 'production' } })['ENV']).toBe('production');
  expect(() => envOf({ declared: { ENV: '/tmp/evil.sh' } })).toThrow(/ENV/);
  expect(() => envOf({ declared: { ENV: '$(evil)' } })).toThrow(/ENV/);
});

test('the mark of the process tree cannot be set or granted', () => {
  expect(() => envOf({ declared: { PLUG_TREE: 'x' }, allowDangerousEnv: ['PLUG_TREE'] })).toThrow(
    /PLUG_TREE/,
  );
});

test('a declared PATH wins; common settings such as PYTHONPATH pass', () => {
  expect(envOf({ declared: { PATH: '/mine', PYTHONPATH: '/src' } })).toEqual({
    PATH: '/mine',
    PYTHONPATH: '/src',
  });
});

test('names that cannot be variables are refused', () => {
  for (const name of ['', 'A=B', 'A\0B']) {
    expect(() => envOf({ declared: { [name]: 'x' } })).toThrow(
      expect.objectContaining({ code: 'bad_config' }),
    );
  }
  expect(() => envOf({ declared: { A: 'x\0y' } })).toThrow(expect.objectContaining({ code: 'bad_config' }));
});

test('on Windows the case of a name does not make a second variable', () => {
  const env = envOf({
    platform: 'win32',
    hubEnv: { Path: 'C:\\old', SystemRoot: 'C:\\Windows' },
    path: 'C:\\new',
  });
  expect(env).toEqual({ SystemRoot: 'C:\\Windows', PATH: 'C:\\new' });
  expect(envOf({ platform: 'win32', path: 'C:\\a', declared: { Path: 'C:\\b' } })).toEqual({ Path: 'C:\\b' });
});

test('npx does not pause for minutes without a network, unless its server is told to', () => {
  const env = { PATH: '/bin' };
  expect(withNpmPatience('npx', env)).toMatchObject({ ...env, npm_config_fetch_retry_maxtimeout: '3000' });
  expect(withNpmPatience('C:\\node\\npx.cmd', env)).toHaveProperty('npm_config_fetch_retry_mintimeout');
  const own = { npm_config_fetch_retry_maxtimeout: '60000' };
  expect(withNpmPatience('/usr/bin/npx', own)).toMatchObject(own);
  expect(withNpmPatience('node', env)).toEqual(env);
});
