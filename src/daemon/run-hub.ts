import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createApi } from '../api/app.ts';
import type { FoldersHub } from '../api/folders.ts';
import { Cleanup } from '../base/cleanup.ts';
import type { Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Paths } from '../base/paths.ts';
import type { Hub } from '../hub/hub.ts';
import {
  hubFiles,
  readAddress,
  removeAddress,
  writeAddress,
  type HubAddress,
  type HubFiles,
} from './address.ts';
import { watchIdle } from './idle.ts';
import { listen } from './listen.ts';
import { takeLock, type Lock } from './lock.ts';
import { collectOnceSettled } from './settle.ts';
import { makePrivateFolder } from '../base/private-files.ts';
import { openToken } from './token.ts';

export interface RunHubOptions {
  readonly paths: Paths;
  readonly version: string;
  /** Opens the in-process hub; called only by the one that holds the lock. */
  readonly open: () => Promise<FoldersHub>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** The loopback port; 0 takes any free one. */
  readonly port?: number;
  /** Stops the hub, as SIGTERM does. */
  readonly signal?: AbortSignal;
  readonly idleExitMs?: number;
}

export interface RunningHub extends AsyncDisposable {
  readonly hub: Hub;
  readonly address: HubAddress;
  /** Resolves when everything has ended, whoever asked for it. */
  readonly stopped: Promise<void>;
  readonly close: () => Promise<void>;
}

/** One hub per user: lock, hub, listener, address. Ends in the opposite order. */
export async function runHub(options: RunHubOptions): Promise<RunningHub> {
  const { paths, clock, ids, logger, version } = options;
  const files = hubFiles(paths);
  await using half = new Cleanup();
  await mkdir(paths.state, { recursive: true, mode: 0o700 });
  const lock = await lockOrSayWho(files);
  half.defer(() => lock.release());
  await makePrivateFolder(files.socketFolder);
  const isToken = await openToken(files.token);
  const hub = half.use(await options.open());

  const stop = new AbortController();
  const where: { url?: string; socket?: string } = {};
  const shutdown = (): void => stop.abort(new Error('the hub was asked to stop'));
  const stopping = stop.signal;
  const api = half.use(
    createApi({ hub, address: () => where, isToken, shutdown, stopping, version, clock, ids, logger }),
  );
  const ready = Promise.withResolvers<void>();
  // Whoever connects early waits, so that the first answer already knows every address.
  const fetch: typeof api.fetch = async (request, via) => {
    await ready.promise;
    return api.fetch(request, via);
  };
  const listener = await listen({ fetch, socket: files.socket, port: options.port ?? 0, clock });
  half.defer(() => listener.close());
  where.url = listener.url;
  where.socket = files.socket;
  const address: HubAddress = {
    pid: process.pid,
    startedAt: clock.now(),
    version,
    url: listener.url,
    socket: files.socket,
    tokenFile: files.token,
  };
  half.defer(() => removeAddress(files.address));
  await writeAddress(files.address, address, ids);
  const idleExitMs = options.idleExitMs ?? limits.hubIdleExitMs;
  // Whoever deletes the home ends the hub: without its lock a second one could start beside it.
  const isLost = (): boolean => !existsSync(files.lock);
  half.defer(watchIdle({ hub, listener, isLost, clock, logger, idleExitMs, onIdle: shutdown }));
  half.defer(collectOnceSettled(clock, limits.hubSettledMs));
  half.defer(shutdown);

  const whole = half.move();
  logger.info('hub started', { pid: address.pid, url: address.url, socket: address.socket, version });
  ready.resolve();
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  ignore(stopped, 'whoever waits for the end sees its failure');
  stopping.addEventListener(
    'abort',
    () => {
      logger.info('hub stopping');
      whole.disposeAsync().then(resolve, reject);
    },
    { once: true },
  );
  const close = (): Promise<void> => {
    shutdown();
    return stopped;
  };
  if (options.signal?.aborted) shutdown();
  else options.signal?.addEventListener('abort', shutdown, { once: true });
  return { hub, address, stopped, close, [Symbol.asyncDispose]: close };
}

async function lockOrSayWho(files: HubFiles): Promise<Lock> {
  const lock = takeLock(files.lock);
  if (lock) return lock;
  const address = await readAddress(files.address);
  const who = address ? ` (process ${address.pid}, ${address.url})` : '';
  throw new PlugError('already_exists', `A hub is running already${who}.`, {
    owner: 'you',
    next: 'plug hub status',
    ...(address ? { details: { pid: address.pid, url: address.url } } : {}),
  });
}
