import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Cleanup } from '../base/cleanup.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { hasCode, ignore, messageOf, PlugError } from '../base/errors.ts';
import { guarded } from '../base/faults.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { checkOwnContents, checkOwnFolders } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import { makePrivateFolder } from '../base/private-files.ts';
import { publicOnly, type AddressGuard } from '../connections/http/address-guard.ts';
import { takeLock } from '../daemon/lock.ts';
import { readAddress } from '../storage/postgres/open.ts';
import { openTeamDatabase } from '../storage/postgres/team.ts';
import { MASTER_KEY_VARIABLE, readMasterKeyVariable } from '../vault/key-variable.ts';
import { Front } from './front.ts';
import { HostFront } from './host-front.ts';
import { teamLimits } from './limits.ts';
import { createFetch, type Fetch } from '../connections/http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../connections/http/http-client.ts';
import { TeamCallbacks } from './callbacks.ts';
import { Credentials } from './credentials.ts';
import { Groups } from './groups.ts';
import { People } from './people.ts';
import { Promotions } from './promotions.ts';
import { readSingleSignOn } from './single-sign-on.ts';
import { Spaces } from './spaces.ts';
import type { Team } from './team.ts';

export interface RunTeamOptions {
  /** The address of the PostgreSQL database. */
  readonly database: string | undefined;
  readonly paths: Paths;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** 0 takes any free one. */
  readonly port?: number;
  /** Where people reach it, if not where it listens: the origin of a proxy with TLS. */
  readonly url?: string;
  /** Whether all that comes to us comes from that proxy, which adds to X-Forwarded-For. */
  readonly behindProxy?: boolean;
  /** What servers may be at; default: public addresses. */
  readonly guard?: AddressGuard;
  /** Trusted for addresses outside, instead of the system's certificates. */
  readonly ca?: string;
  /** The built page. */
  readonly pageFolder: string;
  readonly signal?: AbortSignal;
}

export interface RunningTeam extends AsyncDisposable {
  readonly url: string;
  /** There as long as nobody has set up the team: good once. */
  readonly setUpLink: string | undefined;
  readonly stopped: Promise<void>;
  close(): Promise<void>;
}

/** One hub for a team: people by sessions and keys, each in a space of their own. */
export async function runTeam(options: RunTeamOptions): Promise<RunningTeam> {
  const { paths, env, clock, ids, logger, version } = options;
  const { address: databaseAddress, secret } = checkGiven(options);
  const singleSignOn = readSingleSignOn(env);
  let url = options.url === undefined ? undefined : originOf(options.url);
  await using opened = new Cleanup();
  checkOwnFolders(paths);
  await makePrivateFolder(paths.data);
  checkOwnContents(paths);
  const lock = takeLock(join(paths.data, 'team.lock'));
  if (!lock) throw runsAlready();
  opened.defer(() => lock.release());
  const database = opened.use(await openTeamDatabase(databaseAddress, { clock, ids }));
  const here = (): string => url ?? '';
  const server = createServer({
    headersTimeout: limits.apiHeadersTimeoutMs,
    requestTimeout: limits.apiRequestTimeoutMs,
    maxHeaderSize: limits.apiHeaderBytesMax,
  });
  server.maxConnections = limits.apiConnectionsMax;
  await listening(server, options.port ?? 0);
  opened.defer(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  url ??= `http://${HOST}:${port}`;
  const { guard = publicOnly, ca, pageFolder } = options;
  const trusted = ca === undefined ? {} : { ca };
  const outside = opened.use(createHttpClient({ clock, ids, guard, ...trusted }));
  const own = opened.use(createHttpClient({ clock, ids, env, ...trusted }));
  const fetching = { fetch: bounded(outside, clock, guard), fetchOwn: bounded(own, clock) };
  const people = await People.open({ database, url, secret, clock, logger, singleSignOn, ...fetching });
  const credentials = new Credentials({ people, url, clock });
  const { storage } = database;
  const forVaults = { [MASTER_KEY_VARIABLE]: env[MASTER_KEY_VARIABLE] };
  const common = { version, clock, ids, logger };
  const callbacks = new TeamCallbacks(here);
  const spaces = new Spaces({ ...common, storage, paths, guard, callbacks, env: forVaults });
  opened.defer(() => spaces.close());
  const team: Team = {
    people,
    credentials,
    groups: new Groups(people, clock),
    promotions: new Promotions(people, clock),
    spaces,
    callbacks,
    storage,
    singleSignOn,
    url,
    pageFolder,
    logger,
    destroyVault: (owner) => database.destroyVault(owner),
  };
  const front = new Front(team);
  const hosts = new HostFront({ ...common, credentials, spaces, url });
  opened.defer(endDeactivated(team, clock));
  const { behindProxy = false } = options;
  const api = getRequestListener(
    (request, { incoming }) => front.fetch(request, peerOf(incoming, behindProxy)),
    {
      overrideGlobalObjects: false,
    },
  );
  server.on(
    'request',
    guarded(
      'a request',
      (request, response) =>
        hosts.isForHosts(request.url ?? '') ? hosts.request(request, response) : api(request, response),
      (_request, response) => response.destroy(),
    ),
  );
  const setUpLink = (await people.team()) ? undefined : `${url}/set-up/${await people.setUpToken()}`;

  const parts = opened.move();
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  ignore(stopped, 'a caller that waits for the end sees its failure');
  let ending = false;
  const close = (): Promise<void> => {
    if (!ending) parts.disposeAsync().then(resolve, reject);
    ending = true;
    return stopped;
  };
  const end = (): void =>
    void close().catch((error: unknown) => logger.error('the team did not end', { error: messageOf(error) }));
  if (options.signal?.aborted) end();
  else options.signal?.addEventListener('abort', end, { once: true });
  return { url, setUpLink, stopped, close, [Symbol.asyncDispose]: close };
}

function bounded({ dispatcher, limits: own }: HttpClient, clock: Clock, guard?: AddressGuard): Fetch {
  return createFetch({ dispatcher, clock, limits: own, guard });
}

/**
 * Somebody who was removed or deactivated, here or by another replica, has nothing under way for longer
 * than this. Requests ask for themselves; calls and streams that have begun are ended.
 */
function endDeactivated({ people, spaces, logger }: Team, clock: Clock): Cancel {
  const look = async (): Promise<void> => {
    for (const id of spaces.people) if (!(await people.mayEnter(id))) await spaces.endPerson(id);
  };
  return clock.every(teamLimits.deactivatedMs, () => {
    look().catch((error: unknown) =>
      logger.warn('whether people are still in the team is unknown', { error: messageOf(error) }),
    );
  });
}

/** Only this machine reaches us directly: TLS is the work of a proxy here. */
const HOST = '127.0.0.1';

async function listening(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((ready, failed) => {
      server.once('error', failed);
      server.listen(port, HOST, ready);
    });
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    const options = { owner: 'you', remedy: 'Take another port.' } as const;
    throw new PlugError('unavailable', `Something else listens on port ${port} already.`, options);
  }
}

/** Says what is missing before anything is opened. The keys are given, so that no machine is the only one. */
function checkGiven({ database, env }: RunTeamOptions): {
  readonly address: string;
  readonly secret: string;
} {
  if (!database) {
    const remedy =
      'Give it with --database postgres://USER:PASSWORD@HOST:5432/DATABASE, or in PLUG_DATABASE_URL.';
    throw new PlugError('usage', 'A team needs a PostgreSQL database.', { owner: 'you', remedy });
  }
  readAddress(database);
  const secret = env['PLUG_TEAM_SECRET'] ?? '';
  if (secret.length < teamLimits.secretCharsMin) {
    const message = `PLUG_TEAM_SECRET is missing or shorter than ${teamLimits.secretCharsMin} characters: it signs the sessions.`;
    throw new PlugError('bad_config', message, { owner: 'you', remedy: keyRemedy('PLUG_TEAM_SECRET') });
  }
  if (!readMasterKeyVariable(env)) {
    const message = `${MASTER_KEY_VARIABLE} is missing: it opens the vaults of the people.`;
    throw new PlugError('bad_config', message, { owner: 'you', remedy: keyRemedy(MASTER_KEY_VARIABLE) });
  }
  return { address: database, secret };
}

function keyRemedy(name: string): string {
  return `Make it once, keep it, and set it whenever the team starts: ${name}=$(openssl rand -base64 32)`;
}

function runsAlready(): PlugError {
  const remedy = 'Stop it first, or name another folder in PLUG_HOME.';
  return new PlugError('already_exists', 'A team runs already in this data folder.', {
    owner: 'you',
    remedy,
  });
}

/** Whoever can reach us directly could write the header as well, so it counts only behind a proxy. */
function peerOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  behindProxy: boolean,
): string | undefined {
  const hops = behindProxy ? headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(hops) ? hops.join(',') : hops)?.split(',').at(-1)?.trim();
  return last === undefined || last === '' ? socket.remoteAddress : last;
}

function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && ['http:', 'https:'].includes(parsed.protocol) && parsed.pathname === '/')
    return parsed.origin;
  const remedy = 'Write it as https://plug.example.com, without a path.';
  throw new PlugError('usage', 'The address of the team cannot be read.', { owner: 'you', remedy });
}
