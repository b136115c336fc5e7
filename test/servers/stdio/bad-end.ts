import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import type { Params } from '../params.ts';
import { isAlive } from '../start.ts';
import { startLegacy } from './good.ts';

/** Whatever a test forgets, no fixture outlives this. */
const LIFE_MS = 120_000;

/** Ignores the end of stdin and every polite signal; `file=` gets its pid. */
export async function ignoresStop(params: Params): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  setTimeout(() => process.exit(9), LIFE_MS);
  await startLegacy(params);
  writeFileSync(params.need('file'), `${process.pid}\n`);
}

/** Starts a process that ignores SIGTERM; with `setsid=1` it leads its own session. */
export async function grandchild(params: Params): Promise<void> {
  const pid = await startGrandchild({ detached: params.flag('setsid'), holdsStdout: false });
  writeFileSync(params.need('file'), `${process.pid}\n${pid}\n`);
  await startLegacy(params);
}

/** Exits `ms=` after the handshake while its grandchild still holds stdout; `ms=0` waits for `crash`. */
export async function grandchildHoldsStdout(params: Params): Promise<void> {
  const pid = await startGrandchild({ detached: false, holdsStdout: true });
  writeFileSync(params.need('file'), `${process.pid}\n${pid}\n`);
  const ms = params.number('ms', 200);
  const onReady = (): void => {
    if (ms > 0) setTimeout(() => process.exit(5), ms);
  };
  await startLegacy(params, { onReady });
}

/** Only one instance at a time may run: the lock is `file=`. */
export async function lock(params: Params): Promise<void> {
  const file = params.need('file');
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    const holder = Number(readFileSync(file, 'utf8'));
    if (isAlive(holder)) {
      writeSync(2, `lock held by ${holder}\n`);
      process.exit(4);
    }
    writeFileSync(file, String(process.pid));
  }
  process.on('exit', () => rmSync(file, { force: true }));
  process.on('SIGTERM', () => process.exit(0));
  await startLegacy(params);
}

/** Resolves once the grandchild really ignores SIGTERM. */
async function startGrandchild(options: { detached: boolean; holdsStdout: boolean }): Promise<number> {
  const program = `process.on('SIGTERM', () => {}); setTimeout(() => {}, ${LIFE_MS}); process.send('ready');`;
  const stdio: StdioOptions = ['ignore', options.holdsStdout ? 'inherit' : 'ignore', 'ignore', 'ipc'];
  const child = spawn(process.execPath, ['-e', program], { stdio, detached: options.detached });
  await once(child, 'message');
  child.disconnect();
  child.unref();
  return child.pid ?? 0;
}
