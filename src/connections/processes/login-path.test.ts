import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { isAlive, waitFor } from '../../../test/servers/start.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { LoginPath } from './login-path.ts';

interface Home {
  readonly home: string;
  readonly shell?: string;
  readonly timeoutMs?: number;
}

const loginPath = ({ home, shell = '/bin/bash', timeoutMs = limits.loginPathTimeoutMs }: Home): LoginPath =>
  new LoginPath({
    hubEnv: { PATH: '/usr/bin:/bin', SHELL: shell, HOME: home, CANARY: 'secret' },
    home,
    platform: 'linux',
    clock: systemClock,
    ids: systemIds,
    limits: { ...limits, loginPathTimeoutMs: timeoutMs },
  });

verifies(['C13'], 'a server gets the PATH of the user’s login shell after the hub’s own', async () => {
  const home = temporaryFolder();
  const file = join(home, 'asked');
  writeFileSync(
    join(home, '.bash_profile'),
    `echo "Welcome! $PATH"; echo "\${CANARY-none}" >>${file}; export PATH="/from/profile:/usr/bin:relative:$PATH"`,
  );
  const path = loginPath({ home });
  const [first, again] = await Promise.all([path.get(), path.get()]);
  // The system's own start files may add more after it.
  expect(`${first}:`).toMatch(/^\/usr\/bin:\/bin:\/from\/profile:/);
  expect(first?.split(':')).not.toContain('relative');
  expect(again).toBe(first);
  // Asked once, and the shell's start files saw none of the hub's secrets.
  expect(readFileSync(file, 'utf8')).toBe('none\n');
});

test('a login shell that hangs is ended, and well-known folders stand in for it', async () => {
  const home = temporaryFolder();
  const file = join(home, 'pid');
  mkdirSync(join(home, '.local/bin'), { recursive: true });
  writeFileSync(join(home, '.bash_profile'), `echo $$ >${file}; sleep 300`);
  const path = await loginPath({ home, timeoutMs: 500 }).get();
  expect(path.startsWith(`/usr/bin:/bin:${join(home, '.local/bin')}`)).toBe(true);
  await waitFor(() => !isAlive(Number(readFileSync(file, 'utf8'))));
});

test('a shell that we do not know, or that is not there, is not asked', async () => {
  const home = temporaryFolder();
  const asked = join(home, 'asked');
  writeFileSync(join(home, 'tcsh'), `#!/bin/sh\ntouch ${asked}\n`);
  chmodSync(join(home, 'tcsh'), 0o755);
  for (const shell of [join(home, 'tcsh'), '/nowhere/bash', 'bash']) {
    expect((await loginPath({ home, shell }).get()).split(':')).toContain('/usr/bin');
  }
  expect(() => readFileSync(asked)).toThrow(/ENOENT/);
});
