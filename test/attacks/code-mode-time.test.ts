import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug } from '../scenarios/plug-command.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { stdioHost } from './07-world.ts';

/** The limit of a script's own time, and what ending it may take on a busy machine. */
const LIMIT_MS = 60_000;
const LATE_MS = patience(10_000);

verifies(
  ['G3', 'attack:code-mode-time'],
  'a script that never ends is ended at its limit, with every call that it made; the hub answers meanwhile and afterwards',
  async () => {
    const plug = newPlug();
    expect((await plug('add', 'fix', '--yes', '--', ...fixtureCommand('modern'))).code).toBe(0);
    const host = await stdioHost(plug, 'legacy', { mode: 'code' });
    const folder = temporaryFolder();
    const cancelled = join(folder, 'cancelled');
    const hang = `servers.fix.hang({ file: ${JSON.stringify(cancelled)} })`;
    const run = async (code: string): Promise<{ readonly text: string; readonly ms: number }> => {
      const began = performance.now();
      const id = host.client.send('tools/call', { name: 'run_script', arguments: { code } });
      const found = (): boolean => host.client.messages.some((message) => message.id === id);
      await waitFor(found, LIMIT_MS + LATE_MS);
      const reply = host.client.messages.find((message) => message.id === id);
      return { text: JSON.stringify(reply), ms: performance.now() - began };
    };
    // What needs no minute: memory, depth, output, calls without end, waiting for nothing.
    const quick = await Promise.all([
      run('const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length);'),
      run('let text = "x"; for (;;) text += text;'),
      run('const deeper = (n) => deeper(n + 1) + 1; return deeper(0);'),
      run('return "x".repeat(5e7);'),
      run('for (let n = 0; n < 1e6; n += 1) console.log("x".repeat(1000)); return 1;'),
      run('for (;;) await servers.fix.echo({ message: "again" });'),
      run('await new Promise(() => undefined);'),
      run('const again = () => Promise.resolve().then(again); await again();'),
      run('return new Array(1e9).fill(1).map((n) => [n]);'),
    ]);
    for (const { text, ms } of quick) {
      expect(text.length).toBeLessThan(200_000);
      expect(ms).toBeLessThan(LIMIT_MS + LATE_MS);
    }
    expect(quick[5]?.text).toMatch(/100 calls|at most 100/i);
    // What takes its whole time: an endless loop beside a call, an endless chain of jobs, a slow pattern.
    const endless = Promise.all([
      run(`${hang}.catch(() => undefined); await servers.fix.echo({ message: 'x' }); for (;;);`),
      run('for (;;) await null;'),
      run('return /^(a+)+$/.test("a".repeat(60) + "b");'),
    ]);
    expect((await plug('call', 'fix/echo', 'message=meanwhile')).stdout).toBe('meanwhile\n');
    for (const { text, ms } of await endless) {
      expect(text).toContain('longer than 60 s');
      expect(ms).toBeLessThan(LIMIT_MS + LATE_MS);
    }
    await waitFor(() => existsSync(cancelled), 10_000);
    expect(readFileSync(cancelled, 'utf8')).not.toBe('');
    expect((await plug('call', 'fix/echo', 'message=afterwards')).stdout).toBe('afterwards\n');
  },
  240_000,
);
