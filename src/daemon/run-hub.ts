import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createApi } from '../api/app.ts';
import { ApprovalLinks } from '../api/approval-page/links.ts';
import type { FoldersHub } from '../api/folders.ts';
import { PageSessions } from '../api/page-door/sessions.ts';
import type { PageLink } from '../api/listener-operations.ts';
import { Cleanup } from '../base/cleanup.ts';
import type { Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { portOf } from '../base/own-host.ts';
import { checkOwnContents, checkOwnFolders } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import type { Hub } from '../hub/hub.ts';
import { readAddress, removeAddress, writeAddress } from './address-file.ts';
import { hubFiles, type HubAddress, type HubFiles } from './address.ts';
import { watchIdle } from './idle.ts';
import { listen } from './listen.ts';
import { takeLock, type Lock } from './lock.ts';
import type { gatewayOf } from './gateway-fronts.ts';
import { mountGateway } from './mount-gateway.ts';
import { collectOnceSettled, tuneEngine } from './tune-engine.ts';
import { closeFolder, makePrivateFolder } from '../base/private-files.ts';
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
  /** The folder of the built page; absent for a hub without one. */
  readonly pageFolder?: string;
  /** Where a file may be that takes a browser to the page; our own folder, if the browser can read it. */
  readonly linkFolder?: string;
  /** Opens the gateway of the hub; undefined for a hub that has none. */
  readonly openGateway?: typeof gatewayOf;
}

export interface RunningHub extends AsyncDisposable {
  readonly hub: Hub;
  readonly address: HubAddress;
  /** Makes a link that opens the page; undefined for a hub without one. */
  readonly pageLink: (() => PageLink) | undefined;
  /** Resolves when everything has ended, whoever asked for it. */
  readonly stopped: Promise<void>;
  readonly close: () => Promise<void>;
}

/** One hub per user: lock, hub, listener, address. Ends in the opposite order. */
export async function runHub(options: RunHubOptions): Promise<RunningHub> {
  const { paths, clock, ids, logger, version } = options;
  const files = hubFiles(paths);
  tuneEngine();
  await using opened = new Cleanup();
  checkOwnFolders(paths);
  await mkdir(paths.state, { recursive: true, mode: 0o700 });
  // One that others could only look into becomes private: nothing in it was theirs to change.
  for (const folder of new Set([paths.config, paths.data, paths.state])) await closeFolder(folder);
  checkOwnContents(paths);
  const lock = await lockOrSayWho(files);
  opened.defer(() => lock.release());
  await makePrivateFolder(files.socketFolder);
  const isToken = await openToken(files.token);
  const sessions = await PageSessions.open({ file: files.pageSessions, clock, ids });
  const hub = opened.use(await options.open());

  const stop = new AbortController();
  const where: { url?: string; socket?: string } = {};
  let port: number | undefined;
  const shutdown = (): void => stop.abort(new Error('the hub was asked to stop'));
  const stopping = stop.signal;
  const links = new ApprovalLinks({ url: () => where.url, clock });
  const { pageFolder, linkFolder = paths.state } = options;
  const page = pageFolder === undefined ? {} : { page: { sessions, folder: pageFolder, linkFolder } };
  const about = { version, clock, ids, logger };
  const api = opened.use(
    createApi({ ...about, ...page, hub, address: () => where, isToken, shutdown, stopping, links }),
  );
  const ready = Promise.withResolvers<void>();
  // Whoever connects early waits, so that the first answer already knows every address.
  const fetch: typeof api.fetch = async (...asked) => {
    await ready.promise;
    return api.fetch(...asked);
  };
  const front = mountGateway({
    open: async () => {
      const { gatewayOf } = await import('./gateway-fronts.ts');
      return (options.openGateway ?? gatewayOf)(hub, {
        clock,
        ids,
        version,
        approvalLink: links.linkTo,
        approvalsPage: () => (pageFolder === undefined ? undefined : `${where.url}/approvals`),
      });
    },
    isToken,
    hosts: hub.hostTokens,
    port: () => port,
    ready: ready.promise,
    clock,
    ids,
    logger,
  });
  const portBefore = sessions.lastPort();
  const listener = await listen({
    fetch,
    gateway: front,
    socket: files.socket,
    port: options.port ?? 0,
    portBefore,
    clock,
  });
  opened.defer(() => listener.close());
  port = portOf(listener.url);
  if (portBefore !== undefined && portBefore !== port) await sessions.forgetPort(portBefore);
  // Streams that would stay open for ever end before the listener waits for what is open.
  opened.defer(() => front.close());
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
  opened.defer(() => removeAddress(files.address));
  await writeAddress(files.address, address, ids);
  const idleExitMs = options.idleExitMs ?? limits.hubIdleExitMs;
  // Whoever deletes the home ends the hub: without its lock a second one could start beside it.
  const isLost = (): boolean => !existsSync(files.lock);
  opened.defer(watchIdle({ hub, listener, isLost, clock, logger, idleExitMs, onIdle: shutdown }));
  opened.defer(collectOnceSettled(clock, limits.hubSettledMs));
  opened.defer(shutdown);

  const parts = opened.move();
  logger.info('hub started', { pid: address.pid, url: address.url, socket: address.socket, version });
  ready.resolve();
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  ignore(stopped, 'whoever waits for the end sees its failure');
  stopping.addEventListener(
    'abort',
    () => {
      logger.info('hub stopping');
      parts.disposeAsync().then(resolve, reject);
    },
    { once: true },
  );
  const close = (): Promise<void> => {
    shutdown();
    return stopped;
  };
  if (options.signal?.aborted) shutdown();
  else options.signal?.addEventListener('abort', shutdown, { once: true });
  return { hub, address, pageLink: api.pageLink, stopped, close, [Symbol.asyncDispose]: close };
}

async function lockOrSayWho(files: HubFiles): Promise<Lock> {
  const lock = takeLock(files.lock);
  if (lock) return lock;
  const address = await readAddress(files.address);
  const who = address ? ` (process ${address.pid}, ${address.url})` : '';
  throw new PlugError('already_exists', `A hub is running already${who}.`, {
    owner: 'you',
    remedy: { do: 'show', what: 'hub' },
    ...(address ? { details: { pid: address.pid, url: address.url } } : {}),
  });
}
