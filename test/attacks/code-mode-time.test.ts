import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { gatewayOf } from '../../src/daemon/gateway-fronts.ts';
import { codeLimits } from '../../src/gateway/code/limits.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { startHub } from '../contracts/running-hub.ts';
import { verifies } from '../requirements.ts';
import { version } from '../scenarios/command-here.ts';
import { fixtureCommand, newPlug } from '../scenarios/plug-command.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { stdioHost } from './07-world.ts';

/** Stands for the minute that a script has: three that never end would compute for three of them. */
const OWN_MS = 4_000;
/** What ending a script may take on a busy machine. */
const LATE_MS = patience(30_000);

verifies(
  ['G3', 'attack:code-mode-time'],
  'a script that never ends is ended at its limit, with every call that it made; the hub answers meanwhile and afterwards',
  async () => {
    expect(codeLimits.ownMs).toBe(60_000);
    const plug = newPlug();
    const home = `${plug.home}/plug`;
    const paths = { config: home, data: home, state: home };
    const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' };
    await startHub(() => openHub({ paths, cwd: plug.cwd, env, version }), {
      paths,
      version,
      openGateway: (hub, options) => gatewayOf(hub, { ...options, limits: { scriptOwnMs: OWN_MS } }),
    });
    expect((await plug('add', 'fix', '--yes', '--', ...fixtureCommand('modern'))).code).toBe(0);
    const host = await stdioHost(plug, 'legacy', { mode: 'code' });
    const folder = temporaryFolder();
    const cancelled = join(folder, 'cancelled');
    const hang = `servers.fix.hang({ file: ${JSON.stringify(cancelled)} })`;
    const run = async (code: string): Promise<string> => {
      const id = host.client.send('tools/call', { name: 'run_script', arguments: { code } });
      const found = (): boolean => host.client.messages.some((message) => message.id === id);
      await waitFor(found, OWN_MS + LATE_MS);
      return JSON.stringify(host.client.messages.find((message) => message.id === id));
    };
    // What other limits end: memory, depth, output, calls without end, waiting for nothing.
    const quick = await Promise.all([
      run('const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length);'),
      run('let text = "x"; for (;;) text += text;'),
      run('const deeper = (n) => deeper(n + 1) + 1; return deeper(0);'),
      run('return "x".repeat(5e7);'),
      run('for (let n = 0; n < 1e6; n += 1) console.log("x".repeat(1000)); return 1;'),
      run('await new Promise(() => undefined);'),
      run('const again = () => Promise.resolve().then(again); await again();'),
      run('return new Array(1e9).fill(1).map((n) => [n]);'),
    ]);
    for (const text of quick) expect(text.length).toBeLessThan(200_000);
    expect(await run('for (;;) await servers.fix.echo({ message: "again" });')).toMatch(
      /100 calls|at most 100/i,
    );
    // What takes its whole time: an endless loop beside a call, an endless chain of jobs, a slow pattern.
    const endless = Promise.all([
      run(`${hang}.catch(() => undefined); await servers.fix.echo({ message: 'x' }); for (;;);`),
      run('for (;;) await null;'),
      run('return /^(a+)+$/.test("a".repeat(60) + "b");'),
    ]);
    expect((await plug('call', 'fix/echo', 'message=meanwhile')).stdout).toBe('meanwhile\n');
    for (const text of await endless) expect(text).toContain(`longer than ${OWN_MS / 1000} s`);
    await waitFor(() => existsSync(cancelled), 10_000);
    expect(readFileSync(cancelled, 'utf8')).not.toBe('');
    expect((await plug('call', 'fix/echo', 'message=afterwards')).stdout).toBe('afterwards\n');
  },
  240_000,
);
