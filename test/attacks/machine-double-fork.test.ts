import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, isAlive, newPlug, type Plug } from '../scenarios/plug-command.ts';

const LONG_MS = 120_000;

/** A server whose grandchild leaves group, session and parent, and then writes down its number. */
function forking(
  plug: Plug,
  name: string,
): { readonly words: readonly string[]; readonly pid: (before?: number) => Promise<number> } {
  const file = join(plug.cwd, `${name}.pid`);
  const [node = '', ...args] = fixtureCommand('dual');
  const orphan = `setsid sh -c 'trap "" TERM HUP; setsid sleep 300 & echo $! > ${file}' &`;
  const script = `${orphan} exec ${[node, ...args].map((word) => `'${word}'`).join(' ')}`;
  const written = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  return {
    words: ['/bin/sh', '-c', script],
    // It runs beside the server: nothing says which of them is heard first.
    pid: async (before = 0) => {
      await expect.poll(written, { timeout: 30_000 }).toSatisfy((pid) => pid > 0 && pid !== before);
      return written();
    },
  };
}

verifies(
  ['attack:double-fork', 'C6'],
  'a process that a server has forked twice into a session of its own ends with the hub, stopped or killed',
  async () => {
    expect(process.platform).toBe('linux');
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    const first = forking(plug, 'first');
    expect((await plug('add', 'first', '--yes', '--', ...first.words)).code).toBe(0);
    expect((await plug('call', 'first/echo', 'message=hi')).stdout).toBe('hi\n');
    const stopped = await first.pid();
    expect(isAlive(stopped)).toBe(true);
    expect((await plug('hub', 'stop')).code).toBe(0);
    await expect.poll(() => isAlive(stopped)).toBe(false);

    expect((await plug('call', 'first/echo', 'message=again')).stdout).toBe('again\n');
    const orphaned = await first.pid(stopped);
    expect(isAlive(orphaned)).toBe(true);
    const { pid } = (await plug.json('hub', 'status')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(orphaned)).toBe(false);
  },
  LONG_MS,
);
