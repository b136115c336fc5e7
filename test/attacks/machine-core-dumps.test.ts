import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { answerOf, bin, descendantsOf, fixtureCommand, isAlive, newPlug } from '../scenarios/plug-command.ts';

const LONG_MS = 90_000;
const KEY = 'canary-core-4f7a1d90b2c8';

function coreLimit(pid: number): string | undefined {
  const line = /^Max core file size\s+(\S+)\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'));
  return line?.slice(1).join(' ');
}

verifies(
  ['attack:core-dumps', 'V1'],
  'a hub that is made to crash writes no picture of its memory, whatever the terminal allows',
  async () => {
    expect(process.platform).toBe('linux');
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    // Started from a terminal in which cores are allowed.
    const env = {
      PATH: process.env['PATH'],
      HOME: plug.home,
      PLUG_HOME: `${plug.home}/plug`,
      PLUG_NO_KEYRING: '1',
    };
    const allowed = ['-c', 'ulimit -c unlimited && exec "$@"', 'sh', process.execPath, bin, 'hub', 'start'];
    const started = await answerOf(spawn('/bin/sh', allowed, { cwd: plug.cwd, env }));
    const isAllowed = spawnSync('/bin/sh', ['-c', 'ulimit -c unlimited']).status === 0;
    if (!isAllowed)
      console.warn('Cores are not allowed here at all; only the limit of the hub is looked at.');
    else expect(started.code).toBe(0);
    const added = plug.begin(['secrets', 'set', 'demo/KEY'], KEY);
    expect((await answerOf(added)).code).toBe(0);
    await plug('add', 'demo', '--yes', '--env', 'KEY=${vault:demo/KEY}', '--', ...fixtureCommand('dual'));
    await plug('call', 'demo/env');
    const { pid } = (await plug.json('hub', 'status')) as { pid: number };
    expect(coreLimit(pid)).toBe('0 0');
    for (const child of descendantsOf(pid)) expect(coreLimit(child)).toBe('0 0');
    process.kill(pid, 'SIGABRT');
    await expect.poll(() => isAlive(pid)).toBe(false);
    const left = [plug.cwd, plug.home, `${plug.home}/plug`].flatMap((folder) => readdirSync(folder));
    expect(left.filter((name) => /^core(\.|$)/.test(name))).toEqual([]);
  },
  LONG_MS,
);
