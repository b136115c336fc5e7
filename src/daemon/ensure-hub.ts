import { mkdir } from 'node:fs/promises';
import { connectHub } from '../api/client.ts';
import type { Send } from '../api/send.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { checkOwnContents } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import type { Hub, HubStatus } from '../hub/hub.ts';
import { hubFiles } from './address.ts';
import { connectSocket } from './connect.ts';
import { cannotWrite } from './cannot-write.ts';
import { isLocked } from './lock.ts';
import { spawnHub, type HubProcess, type SpawnEntry } from './spawn-hub.ts';

export interface EnsureHubOptions {
  readonly paths: Paths;
  readonly version: string;
  readonly entry: SpawnEntry;
  readonly folder?: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** For commands that only look or stop. */
  readonly anyVersion?: boolean;
}

export interface EnsuredHub {
  readonly hub: Hub;
  readonly send: Send;
  readonly status: HubStatus;
  readonly started: boolean;
}

export async function ensureHub(options: EnsureHubOptions): Promise<EnsuredHub> {
  const send = connectSocket(options.paths);
  const { clock, folder } = options;
  const hub = connectHub(send, { clock, ...defined({ folder }) });
  const running = await statusOf(hub);
  if (running) return { hub, send, status: checkVersion(running, options), started: false };
  const status = await startAndWait(hub, options);
  return { hub, send, status: checkVersion(status, options), started: true };
}

/** Undefined when no hub answers; throws on any other failure. */
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

/** Several may do this while an old hub still stops: another is spawned only when the lock is free. */
async function startAndWait(hub: Hub, options: EnsureHubOptions): Promise<HubStatus> {
  const { clock, paths, entry, signal } = options;
  await mkdir(paths.state, { recursive: true, mode: 0o700 }).catch(cannotWrite(paths.state));
  // The hub checks again, but there a failure would only show in its log.
  checkOwnContents(paths);
  const deadline = clock.monotonic() + limits.hubStartTimeoutMs;
  let child: HubProcess | undefined;
  let failures = 0;
  let said: readonly string[] = [];
  while (clock.monotonic() < deadline) {
    if (!child || (child.exited() && !isLocked(hubFiles(paths).lock))) {
      const status = await statusOf(hub);
      if (status) return status;
      // The first may have lost against a hub that was just stopping.
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
  // A second hub that is still failing has logged nothing yet; the first has.
  throw startFailed(last.length > 0 ? last : said);
}

function startFailed(lines: readonly string[] = []): PlugError {
  return new PlugError('hub_unavailable', 'The hub did not start.', {
    owner: 'plugboard',
    remedy: { do: 'start-hub', foreground: true },
    details: { log: lines },
  });
}

function checkVersion(status: HubStatus, { version, anyVersion = false }: EnsureHubOptions): HubStatus {
  if (anyVersion || status.version === version) return status;
  const running = status.version;
  const message = `The hub that is running is version ${running}; this command is version ${version}.`;
  const details = { running, own: version };
  throw new PlugError('unavailable', message, { owner: 'you', remedy: { do: 'restart-hub' }, details });
}
