import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createApi } from '../api/app.ts';
import { ApprovalLinks } from '../api/approval-page/links.ts';
import type { FoldersHub } from '../api/folders.ts';
import { PageSessions } from '../api/page-door/sessions.ts';
import type { PageLink } from '../api/listener-operations.ts';
import { Cleanup } from '../base/cleanup.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, messageOf, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { portOf } from '../base/own-host.ts';
import { checkOwnContents, checkOwnFolders } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import { closeFolder, makePrivateFolder } from '../base/private-files.ts';
import type { Hub } from '../hub/hub.ts';
import { hubFiles, type HubAddress, type HubFiles } from './address.ts';
import type { gatewayOf } from './gateway-fronts.ts';
import { listen, type Listener } from './listen.ts';
import { takeLock, type Lock } from './lock.ts';
import { mountGateway } from './mount-gateway.ts';
import { keyFrom, openToken, readAddress, writeAddress } from './own-files.ts';

export interface RunHubOptions {
  readonly paths: Paths;
  readonly version: string;
  /** Called only while we hold the lock. */
  readonly open: () => Promise<FoldersHub>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** The loopback port; 0 takes any free one. */
  readonly port?: number;
  readonly signal?: AbortSignal;
  readonly idleExitMs?: number;
  readonly pageFolder?: string;
  /** For files that take a browser to the page; default: our own folder. */
  readonly linkFolder?: string;
  readonly openGateway?: typeof gatewayOf;
}

export interface RunningHub extends AsyncDisposable {
  readonly hub: Hub;
  readonly address: HubAddress;
  readonly pageLink: (() => PageLink) | undefined;
  readonly stopped: Promise<void>;
  readonly close: () => Promise<void>;
}

/** One hub per user: lock, hub, listener, address. Ends in the opposite order. */
export async function runHub(options: RunHubOptions): Promise<RunningHub> {
  const { paths, clock, ids, logger, version } = options;
  const files = hubFiles(paths);
  await using opened = new Cleanup();
  checkOwnFolders(paths);
  await mkdir(paths.state, { recursive: true, mode: 0o700 });
  // A folder that others could only read becomes private: they could change nothing in it.
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
  // Early requests wait, so that the first answer already knows every address.
  const fetch: typeof api.fetch = async (...asked) => {
    await ready.promise;
    return api.fetch(...asked);
  };
  const front = mountGateway({
    ...about,
    open: async () => {
      const { gatewayOf } = await import('./gateway-fronts.ts');
      const approvalsPage = (): string | undefined =>
        pageFolder === undefined ? undefined : `${where.url}/approvals`;
      const stateKey = await keyFrom(files.token, 'request state');
      const given = { clock, ids, version, stateKey, approvalLink: links.linkTo, approvalsPage };
      return (options.openGateway ?? gatewayOf)(hub, given);
    },
    isToken,
    hosts: hub.hostTokens,
    port: () => port,
    ready: ready.promise,
  });
  const portBefore = sessions.lastPort();
  const { socket } = files;
  const listener = await listen({
    fetch,
    gateway: front,
    socket,
    port: options.port ?? 0,
    portBefore,
    clock,
  });
  opened.defer(() => listener.close());
  port = portOf(listener.url);
  if (portBefore !== undefined && portBefore !== port) await sessions.forgetPort(portBefore);
  // Endless streams end before the listener waits for open ones.
  opened.defer(() => front.close());
  const { url } = listener;
  Object.assign(where, { url, socket });
  const { pid } = process;
  const address = { pid, startedAt: clock.now(), version, url, socket, tokenFile: files.token };
  opened.defer(() => rm(files.address, { force: true }));
  await writeAddress(files.address, address, ids);
  const idleExitMs = options.idleExitMs ?? limits.hubIdleExitMs;
  // Deleting the home ends the hub: without its lock a second one could start beside it.
  const isLost = (): boolean => !existsSync(files.lock);
  opened.defer(watchIdle({ hub, listener, isLost, clock, logger, idleExitMs, onIdle: shutdown }));
  opened.defer(shutdown);

  const parts = opened.move();
  logger.info('hub started', { pid, url, socket, version });
  ready.resolve();
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  ignore(stopped, 'a caller that waits for the end sees its failure');
  const end = (): void => {
    logger.info('hub stopping');
    parts.disposeAsync().then(resolve, reject);
  };
  stopping.addEventListener('abort', end, { once: true });
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

interface IdleOptions {
  readonly hub: Pick<Hub, 'status'>;
  readonly listener: Pick<Listener, 'open' | 'lastUsed'>;
  readonly isLost: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly idleExitMs: number;
  readonly onIdle: () => void;
}

/** Calls `onIdle` once the hub was unused for long enough, without a live server, or its files are gone. */
function watchIdle({ hub, listener, isLost, clock, logger, idleExitMs, onIdle }: IdleOptions): Cancel {
  const unused = (): boolean =>
    listener.open() === 0 && clock.monotonic() - listener.lastUsed() >= idleExitMs;
  const check = async (): Promise<void> => {
    if (isLost()) return onIdle();
    if (!unused() || (await hub.status()).live > 0) return;
    // A request may have come while the hub was asked.
    if (unused()) onIdle();
  };
  return clock.every(Math.min(limits.hubIdleCheckMs, idleExitMs), () => {
    check().catch((error: unknown) => logger.warn('idle check failed', { error: messageOf(error) }));
  });
}
