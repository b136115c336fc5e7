import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Params } from '../params.ts';
import { startLegacy } from './good.ts';
import { readLines } from './lines.ts';

/** Complains and exits with 3. */
export function exitsAtOnce(): void {
  writeSync(2, 'config error: DATABASE_URL is not set\nsee the manual, chapter 4\nexiting\n');
  process.exit(3);
}

/** Reads and never answers; ends with its stdin. */
export function hangsInHandshake(): void {
  process.stdin.resume();
}

/** Answers nothing for `ms=`, then everything. */
export async function lateStart(params: Params): Promise<void> {
  await sleep(params.number('ms', 1_000));
  await startLegacy(params);
}

/** The first `n=` starts crash right after the handshake; `file=` counts the starts. */
export async function crashesN(params: Params): Promise<void> {
  const file = params.need('file');
  const starts = (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0) + 1;
  writeFileSync(file, String(starts));
  const onReady = (): void => {
    if (starts > params.number('n', 1)) return;
    writeSync(2, `crash number ${starts}\n`);
    process.exit(1);
  };
  await startLegacy(params, { onReady });
}

/** Exits with 1 when the first thing it hears is not `initialize`. */
export async function exitsOnUnknown(params: Params): Promise<void> {
  await startBehindGate(params, (method) => {
    writeSync(2, `unexpected method ${method} before initialize\n`);
    process.exit(1);
  });
}

/** Never answers what comes before `initialize`. */
export async function silentOnUnknown(params: Params): Promise<void> {
  await startBehindGate(params, () => undefined);
}

async function startBehindGate(params: Params, refused: (method: string) => void): Promise<void> {
  const input = new PassThrough();
  let open = false;
  readLines(
    (message, line) => {
      open ||= message.method === 'initialize';
      if (open) input.write(`${line}\n`);
      else refused(message.method ?? 'none');
    },
    () => input.end(),
  );
  await startLegacy(params, { input });
}
