import { existsSync, readFileSync } from 'node:fs';
import { connectHub, shutdownHub } from '../api/client.ts';
import { systemClock } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { LogLevel } from '../base/logger.ts';
import { parseJson } from '../base/parse-json.ts';
import type { Paths } from '../base/paths.ts';
import type { Send } from '../api/send.ts';
import { hubFiles, versionSaid } from '../daemon/address.ts';
import { connectSocket } from '../daemon/connect.ts';
import type { ClientFiles } from '../hub/client-files.ts';
import type { Hub, HubStatus } from '../hub/hub.ts';
import type { HubControl, HubRun, RunningHub, TeamRun } from './session.ts';

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
  readonly pageFolder: string;
  readonly logLevel: LogLevel;
  readonly log: (line: string) => void;
  /** Whether a hub that runs here has the process to itself, so that the engine is tuned for it. */
  readonly ownsProcess: boolean;
  /** From now on this deals with what nothing has caught; it may still end the process by `crash`. */
  readonly surviveWith: (handle: (error: unknown, crash: (error: unknown) => void) => void) => void;
}

export function openHubControl(options: HubControlOptions): HubControl {
  return {
    connect: (signal, whileStarting) => connect(options, signal, whileStarting),
    running: async () => {
      const found = await lookUp(options);
      return found?.status.version === options.version ? found.hub : undefined;
    },
    start: async (signal) => {
      const { status, started } = await ensure(options, { signal, anyVersion: true });
      return { ...whereIs(status, options.paths), started };
    },
    run: (run) => runHere(options, run),
    runTeam: (run) => runTeamHere(options, run),
    find: async () => {
      const found = await lookUp(options);
      return found && whereIs(found.status, options.paths);
    },
    pageLink: async (signal) => {
      const { send } = await ensure(options, { signal, anyVersion: false });
      return (await import('../api/client.ts')).pageLink(send);
    },
    openPage: (signal) => openPage(options, signal),
    openAddress: async (address) =>
      (await import('../daemon/open-address.ts')).openAddress(address, desktopOf(options)),
    stop: () => stop(options),
  };
}

/** Trusts the version in hub.json; starts a hub only if the first request can't be delivered. */
async function connect(
  options: HubControlOptions,
  signal: AbortSignal,
  whileStarting: Parameters<HubControl['connect']>[1] = (work) => work(),
): Promise<Hub> {
  const { paths, version, entry } = options;
  const start = (): Promise<unknown> => whileStarting(() => ensure(options, { signal, anyVersion: false }));
  if (versionSaid(hubFiles(paths).address) !== version) await start();
  const send = connectSocket(paths);
  let reached = false;
  const sendOrStart: Send = async (request) => {
    try {
      const response = await send(request);
      reached = true;
      return response;
    } catch (error) {
      // Event streams reconnect by themselves, and must not restart a hub that was stopped.
      const listens = request.method === 'GET' && request.accept === 'text/event-stream';
      const failure = toPlugError(error);
      // A hub that is killed may still take a connection; what only reads can be asked again.
      const readsOnly = request.method === 'GET' && !listens && failure.code === 'hub_unavailable';
      if (!(readsOnly || neverSent(failure)) || (reached && listens)) throw error;
      await start();
      return await send(request);
    }
  };
  return connectHub(sendOrStart, {
    clock: systemClock,
    folder: entry.cwd,
    kind: 'terminal',
    readJson: parseJson,
    // No other process has this number now. Loading what draws at random would take longer than asking.
    id: `process-${process.pid}-${systemClock.now()}-${(connected += 1)}`,
  });
}

/** Tells several commands of one process apart. */
let connected = 0;

/** No hub listened on the socket, so the request was never delivered. */
function neverSent({ code, cause }: PlugError): boolean {
  const isAway = isObject(cause) && (cause['code'] === 'ENOENT' || cause['code'] === 'ECONNREFUSED');
  return code === 'hub_unavailable' && isAway;
}

interface FoundHub {
  readonly hub: Hub;
  readonly send: Send;
  readonly status: HubStatus;
}

async function lookUp({ paths, entry }: HubControlOptions): Promise<FoundHub | undefined> {
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
): Promise<FoundHub & { readonly started: boolean }> {
  const { ensureHub } = await import('../daemon/ensure-hub.ts');
  const foreground = { ...entry, args: [...entry.args, 'hub', 'start', '--foreground'] };
  const from = { paths, version, entry: foreground, folder: entry.cwd };
  return await ensureHub({ ...from, clock: systemClock, signal, anyVersion });
}

async function runHere(options: HubControlOptions, { signal, port, onReady }: HubRun): Promise<void> {
  const { paths, version, entry, platform, pageFolder } = options;
  const [{ runHub }, { collectOnceSettled, tuneEngine }, { keepRunning }, ...rest] = await Promise.all([
    import('../daemon/run-hub.ts'),
    import('../daemon/tune-engine.ts'),
    import('../daemon/keep-running.ts'),
    import('../hub/open-hub.ts'),
    import('../base/ids.ts'),
    import('../base/logger.ts'),
  ]);
  const [{ openHub }, { systemIds }, { jsonLogger }] = rest;
  if (options.ownsProcess) tuneEngine();
  const clock = systemClock;
  const logger = jsonLogger({ clock, level: options.logLevel, write: options.log });
  const common = { paths, version, clock, ids: systemIds, logger };
  const open = (): ReturnType<typeof openHub> =>
    openHub({
      ...common,
      env: entry.env,
      cwd: entry.cwd,
      platform,
      firstLooks: !entry.env['PLUG_NO_FIRST_LOOKS'],
      openAgent: async (hub) => (await import('../agent/open-agent.ts')).openAgent(hub),
      openClientFiles: () => clientFilesFor(entry),
    });
  await using running = await runHub({
    ...common,
    open,
    signal,
    pageFolder,
    linkFolder: linkFolderOf(options),
    port: port ?? Number(entry.env['PLUG_PORT'] ?? 0),
  });
  using kept = keepRunning({ logger, clock });
  options.surviveWith(kept.survive);
  using _settled = options.ownsProcess ? collectOnceSettled(clock, limits.hubSettledMs) : undefined;
  await onReady(running.hub, running.address, running.pageLink);
  await running.stopped;
}

async function runTeamHere(options: HubControlOptions, run: TeamRun): Promise<void> {
  const { paths, version, entry, pageFolder } = options;
  const [{ loadTeam }, { keepRunning }, { systemIds }, { jsonLogger }] = await Promise.all([
    import('../team/load-team.ts'),
    import('../daemon/keep-running.ts'),
    import('../base/ids.ts'),
    import('../base/logger.ts'),
  ]);
  const { runTeam } = await loadTeam();
  const clock = systemClock;
  const logger = jsonLogger({ clock, level: options.logLevel, write: options.log });
  const { database = entry.env['PLUG_DATABASE_URL'], port = Number(entry.env['PLUG_PORT'] ?? 0), url } = run;
  await using team = await runTeam({
    paths,
    version,
    pageFolder,
    clock,
    ids: systemIds,
    logger,
    env: entry.env,
    signal: run.signal,
    database,
    port,
    behindProxy: run.behindProxy,
    ...(url === undefined ? {} : { url }),
  });
  using kept = keepRunning({ logger, clock });
  options.surviveWith(kept.survive);
  run.onReady(team);
  await team.stopped;
}

/** Other clients are told to start this very program. */
async function clientFilesFor(entry: HubControlOptions['entry']): Promise<ClientFiles> {
  const [{ openClientFiles }, { gatewayCommand }] = await Promise.all([
    import('../editors/client-files.ts'),
    import('../editors/gateway-command.ts'),
  ]);
  return openClientFiles(gatewayCommand(entry, { path: entry.env['PATH'] }));
}

/** Browsers installed as snaps can't read hidden folders of the home folder. */
function linkFolderOf({ paths, platform, entry }: HubControlOptions): string {
  const home = entry.env['HOME'];
  const hasSnaps = platform === 'linux' && existsSync('/var/lib/snapd/desktop');
  return hasSnaps && home !== undefined ? home : paths.state;
}

function desktopOf({ entry, platform }: HubControlOptions): {
  readonly env: HubControlOptions['entry']['env'];
  readonly platform: NodeJS.Platform;
} {
  return { env: entry.env, platform };
}

async function openPage(options: HubControlOptions, signal: AbortSignal) {
  const [{ send }, { pageLink }, { hasDesktop, openFile }] = await Promise.all([
    ensure(options, { signal, anyVersion: false }),
    import('../api/client.ts'),
    import('../daemon/open-address.ts'),
  ]);
  const desktop = desktopOf(options);
  const link = await pageLink(send, { file: hasDesktop(desktop) });
  return { ...link, opened: link.file !== undefined && (await openFile(link.file, desktop)) };
}

async function stop(options: HubControlOptions): Promise<RunningHub | undefined> {
  const found = await lookUp(options);
  if (!found) return undefined;
  const { pid } = found.status;
  await shutdownHub(found.send);
  const deadline = systemClock.monotonic() + limits.hubStopTimeoutMs;
  while (!isGone(pid, options.platform)) {
    if (systemClock.monotonic() > deadline) {
      throw new PlugError('unavailable', `The hub was told to stop, but its process ${pid} is still there.`, {
        owner: 'plugboard',
        remedy: { do: 'run', line: `kill ${pid}` },
        details: { pid },
      });
    }
    await systemClock.sleep(limits.hubPollMs);
  }
  return whereIs(found.status, options.paths);
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

function whereIs({ pid, url = '', socket = '', readOnly, vault }: HubStatus, paths: Paths): RunningHub {
  const { token: tokenFile } = hubFiles(paths);
  return { pid, url, socket, tokenFile, readOnly, ...(vault ? { vault } : {}) };
}
