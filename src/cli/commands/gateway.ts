import type { Writable } from 'node:stream';
import { systemIds } from '../../base/ids.ts';
import { findPaths } from '../../base/paths.ts';
import { hubFiles } from '../../daemon/address.ts';
import { bridgeLimits } from '../../daemon/bridge/limits.ts';
import { openStream } from '../../daemon/bridge/open-stream.ts';
import { runBridge } from '../../daemon/bridge/run-bridge.ts';
import type { Session } from '../session.ts';

export async function gateway(
  scope: {
    readonly profile?: string;
    readonly server?: string;
    readonly mode?: string;
    readonly readOnly?: boolean;
  },
  { env, cwd, clock, signal, hubs, out }: Session,
): Promise<void> {
  const { socket: socketPath } = hubFiles(findPaths({ env, platform: process.platform }));
  await runBridge({
    input: process.stdin,
    output: process.stdout,
    open: (signal) => openStream({ ...scope, socketPath, folder: cwd, clock, limits: bridgeLimits, signal }),
    start: async (signal) => {
      await hubs.start(signal);
    },
    say: (sentence) => out.note(sentence),
    clock,
    ids: systemIds,
    signal,
  });
  await handedOver(process.stdout, signal);
  // Unread output would keep the process alive; a second signal ends it at once.
  if (isUnread(process.stdout)) process.kill(process.pid, 'SIGTERM');
}

async function handedOver(output: Writable, signal: AbortSignal): Promise<void> {
  if (!isUnread(output) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => resolve();
    output.once('close', done).write('', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function isUnread(output: Writable): boolean {
  return output.writableLength > 0 && !output.destroyed;
}
