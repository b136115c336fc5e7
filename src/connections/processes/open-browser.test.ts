import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { waitFor } from '../../../test/servers/start.ts';
import { systemClock as clock } from '../../base/clock.ts';
import { openBrowser } from './open-browser.ts';

/** A folder with programs that write down their arguments, one a line, and end as told. */
function desktop(exitCode = 0): { readonly env: Record<string, string>; readonly opened: () => string[] } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'desktop-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  for (const name of ['xdg-open', 'open', 'rundll32']) {
    const program = join(folder, name);
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}.half'\nmv '${log}.half' '${log}'\nexit ${exitCode}\n`,
    );
    chmodSync(program, 0o755);
  }
  const opened = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []);
  return { env: { PATH: `${folder}:/usr/bin:/bin` }, opened };
}

verifies(
  ['O7', 'attack:F2'],
  'an address reaches the browser as one argument, whatever stands in it',
  async () => {
    const marker = join(tmpdir(), `marker-${process.pid}`);
    for (const [platform, before] of [
      ['linux', []],
      ['darwin', []],
      ['win32', ['url.dll,FileProtocolHandler']],
    ] as const) {
      const { env, opened } = desktop();
      const address = `https://h.test/$(touch%20${marker})&touch;\`x\`|y?a=%22'&b=1`;
      expect(await openBrowser(address, { platform, env, clock })).toBe(true);
      await waitFor(() => opened().length > 0);
      expect(opened()).toEqual([...before, new URL(address).href]);
    }
    expect(existsSync(marker)).toBe(false);
  },
);

verifies(['O7', 'attack:F1'], 'only https, and http on this machine, are opened', async () => {
  const { env, opened } = desktop();
  const options = { platform: 'linux', env, clock } as const;
  for (const address of [
    'http://evil.test/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://x',
    'data:text/html,x',
    'https://user:pass@evil.test/',
    '--version',
    '/usr/bin/true',
    '',
  ]) {
    await expect(openBrowser(address, options)).rejects.toMatchObject({ code: 'denied' });
  }
  expect(opened()).toEqual([]);
  expect(await openBrowser('http://127.0.0.1:8080/x', options)).toBe(true);
  await waitFor(() => opened().length === 1);
});

verifies(
  ['O2', 'O7'],
  'a machine without a browser says so, and the address can be shown instead',
  async () => {
    const failing = desktop(3);
    const address = 'https://h.test/';
    expect(await openBrowser(address, { platform: 'linux', env: failing.env, clock })).toBe(false);
    expect(await openBrowser(address, { platform: 'linux', env: { PATH: '/nowhere' }, clock })).toBe(false);
  },
);
