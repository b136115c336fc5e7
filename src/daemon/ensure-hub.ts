import { mkdir } from 'node:fs/promises';
import { connectHub } from '../api/client.ts';
import type { Send } from '../api/send.ts';
import type { Clock } from '../base/clock.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { checkOwnContents } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import type { Hub, HubStatus } from '../hub/hub.ts';
import { hubFiles } from './address.ts';
import { connectSocket } from './connect.ts';
import { isLocked } from './lock.ts';
import { spawnHub, type HubProcess, type SpawnEntry } from './spawn-hub.ts';

export interface EnsureHubOptions {
  readonly paths: Paths;
  readonly version: string;
  /** How to start a hub in the foreground. */
  readonly entry: SpawnEntry;
  /** The project as which the hub is seen. */
  readonly folder?: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** For commands that only look or stop: a hub of another version will do. */
  readonly anyVersion?: boolean;
}

export interface EnsuredHub {
  readonly hub: Hub;
  readonly send: Send;
  readonly status: HubStatus;
  /** Was it started by this call? */
  readonly started: boolean;
}

/** Connects to the user's hub, and starts it first when there is none. */
export async function ensureHub(options: EnsureHubOptions): Promise<EnsuredHub> {
  const send = connectSocket(options.paths);
  const hub = connectHub(send, {
    clock: options.clock,
    ...(options.folder === undefined ? {} : { folder: options.folder }),
  });
  const running = await statusOf(hub);
  if (running) return { hub, send, status: checkVersion(running, options), started: false };
  const status = await startAndWait(hub, options);
  return { hub, send, status: checkVersion(status, options), started: true };
}

/** Undefined when no hub answers; any other failure is the caller's to see. */
async function statusOf(hub: Hub): Promise<HubStatus | undefined> {
  try {
    return await hub.status();
  } catch (error) {
    if (error instanceof PlugError && (error.code === 'hub_unavailable' || error.code === 'unavailable')) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Several may do this at once, and an old hub may still be stopping: whoever loses the lock waits
 * for the winner, and starts another only when nobody holds the lock any more.
 */
async function startAndWait(hub: Hub, options: EnsureHubOptions): Promise<HubStatus> {
  const { clock, paths, entry, signal } = options;
  await mkdir(paths.state, { recursive: true, mode: 0o700 }).catch(cannotWrite(paths.state));
  // The hub looks again; said here, it is the answer to the command and not a line of a log.
  checkOwnContents(paths);
  const deadline = clock.monotonic() + limits.hubStartTimeoutMs;
  let child: HubProcess | undefined;
  let failures = 0;
  let said: readonly string[] = [];
  while (clock.monotonic() < deadline) {
    if (!child || (child.exited() && !isLocked(hubFiles(paths).lock))) {
      const status = await statusOf(hub);
      if (status) return status;
      // The first may have lost against a hub that was just stopping; a second failure is its own.
      if (child) {
        failures += 1;
        said = await child.lastLines();
      }
      if (failures >= 2) throw startFailed(said);
      child = await spawnHub(hubFiles(paths).log, entry).catch(cannotWrite(paths.state));
    }
    await clock.sleep(limits.hubPollMs, signal);
    const status = await statusOf(hub);
    if (status) return status;
  }
  const last = (await child?.lastLines()) ?? [];
  // A second one that is still busy failing has said nothing yet; the first has.
  throw startFailed(last.length > 0 ? last : said);
}

/** A hub that cannot write its log could keep nothing else either. */
function cannotWrite(folder: string): (error: unknown) => never {
  return (error) => {
    const why = CANNOT_WRITE.find(([code]) => hasCode(error, code))?.[1];
    if (why === undefined) throw error;
    throw new PlugError('storage_failed', `Plugboard can't write its folder ${folder}: ${why}.`, {
      owner: 'you',
      remedy: 'Make it writable, or set PLUG_HOME to a folder that is.',
      details: { folder },
      cause: error,
    });
  };
}

const CANNOT_WRITE = [
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your share of the disk is used up'],
  ['EACCES', 'you may not write there'],
  ['EPERM', 'you may not write there'],
] as const;

function startFailed(lines: readonly string[] = []): PlugError {
  return new PlugError('hub_unavailable', 'The hub did not start.', {
    owner: 'plugboard',
    remedy: { do: 'start-hub', foreground: true },
    details: { log: lines },
  });
}

function checkVersion(status: HubStatus, { version, anyVersion = false }: EnsureHubOptions): HubStatus {
  if (anyVersion || status.version === version) return status;
  throw new PlugError(
    'unavailable',
    `The hub that is running is version ${status.version}; this command is version ${version}.`,
    { owner: 'you', remedy: { do: 'restart-hub' }, details: { running: status.version, own: version } },
  );
}
