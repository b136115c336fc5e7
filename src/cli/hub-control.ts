import { readFileSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { LogLevel } from '../base/logger.ts';
import type { Paths } from '../base/paths.ts';
import type { Send } from '../api/send.ts';
import type { Hub, HubStatus } from '../hub/hub.ts';
import type { HubControl, HubRun, RunningHub } from './session.ts';

export interface HubControlOptions {
  readonly paths: Paths;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  /** This very program, to be started again as a hub. */
  readonly entry: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
  };
  readonly logLevel: LogLevel;
  /** Takes the log of a hub that runs in this process, a line at a time. */
  readonly log: (line: string) => void;
}

/** The user's hub as a process. What runs or starts one is loaded only when it is needed. */
export function openHubControl(options: HubControlOptions): HubControl {
  return {
    connect: async (signal) => {
      const found = await lookUp(options);
      if (found && found.status.version === options.version) return found.hub;
      return (await ensure(options, { signal, anyVersion: false })).hub;
    },
    start: async (signal) => {
      const { status, started } = await ensure(options, { signal, anyVersion: true });
      return { ...whereIs(status), started };
    },
    run: (run) => runHere(options, run),
    find: async () => {
      const found = await lookUp(options);
      return found && whereIs(found.status);
    },
    openAddress: async (address) =>
      (await import('../daemon/open-address.ts')).openAddress(address, {
        env: options.entry.env,
        platform: options.platform,
      }),
    stop: () => stop(options),
  };
}

interface Found {
  readonly hub: Hub;
  readonly send: Send;
  readonly status: HubStatus;
}

/** The hub that answers now. */
async function lookUp({ paths, entry }: HubControlOptions): Promise<Found | undefined> {
  const [{ connectHub }, { connectSocket }] = await Promise.all([
    import('../api/client.ts'),
    import('../daemon/connect.ts'),
  ]);
  const send = connectSocket(paths);
  const hub = connectHub(send, { clock: systemClock, folder: entry.cwd, kind: 'terminal' });
  try {
    return { hub, send, status: await hub.status() };
  } catch (error) {
    if (toPlugError(error).code === 'hub_unavailable') return undefined;
    throw error;
  }
}

async function ensure(
  { paths, version, entry }: HubControlOptions,
  { signal, anyVersion }: { readonly signal: AbortSignal; readonly anyVersion: boolean },
): Promise<{ readonly hub: Hub; readonly status: HubStatus; readonly started: boolean }> {
  const { ensureHub } = await import('../daemon/ensure-hub.ts');
  const foreground = { ...entry, args: [...entry.args, 'hub', 'start', '--foreground'] };
  return await ensureHub({
    paths,
    version,
    entry: foreground,
    clock: systemClock,
    folder: entry.cwd,
    signal,
    anyVersion,
  });
}

async function runHere(options: HubControlOptions, { signal, port, onReady }: HubRun): Promise<void> {
  const { paths, version, entry, platform } = options;
  const [{ runHub }, { openHub }, { systemIds }, { jsonLogger }] = await Promise.all([
    import('../daemon/run-hub.ts'),
    import('../hub/open-hub.ts'),
    import('../base/ids.ts'),
    import('../base/logger.ts'),
  ]);
  const clock = systemClock;
  const logger = jsonLogger({ clock, level: options.logLevel, write: options.log });
  const open = (): ReturnType<typeof openHub> =>
    openHub({
      paths,
      version,
      env: entry.env,
      cwd: entry.cwd,
      platform,
      clock,
      ids: systemIds,
      logger,
    });
  await using running = await runHub({
    paths,
    version,
    open,
    clock,
    ids: systemIds,
    logger,
    signal,
    port: port ?? Number(entry.env['PLUG_PORT'] ?? 0),
  });
  await onReady(running.hub, running.address);
  await running.stopped;
}

/** Asks the hub to stop, and waits until its process is gone. */
async function stop(options: HubControlOptions): Promise<RunningHub | undefined> {
  const found = await lookUp(options);
  if (!found) return undefined;
  const { pid } = found.status;
  const { shutdownHub } = await import('../api/client.ts');
  await shutdownHub(found.send);
  const deadline = systemClock.monotonic() + limits.hubStopTimeoutMs;
  while (!isGone(pid, options.platform)) {
    if (systemClock.monotonic() > deadline) {
      throw new PlugError('unavailable', `The hub was told to stop, but its process ${pid} is still there.`, {
        owner: 'plugboard',
        next: `kill ${pid}`,
        details: { pid },
      });
    }
    await systemClock.sleep(limits.hubPollMs);
  }
  return whereIs(found.status);
}

function isGone(pid: number, platform: NodeJS.Platform): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isObject(error) && error['code'] === 'ESRCH';
  }
  if (platform !== 'linux') return false;
  try {
    // One that has ended but was not yet collected by its parent still has a number.
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true; // it went while we looked
  }
}

function whereIs({ pid, url = '', socket = '', vault }: HubStatus): RunningHub {
  return { pid, url, socket, ...(vault ? { vault } : {}) };
}
