import { hostname } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Cleanup } from '../base/cleanup.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, messageOf, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
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
import { HostFront, refuse } from './host-front.ts';
import { teamLimits } from './limits.ts';
import { createFetch, type Fetch } from '../connections/http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../connections/http/http-client.ts';
import { TeamCallbacks } from './callbacks.ts';
import { Exporter } from './audit-export/exporter.ts';
import { Credentials } from './credentials.ts';
import { Groups } from './groups.ts';
import { DirectoryTokens } from './scim/tokens.ts';
import { Identities } from './identity/identities.ts';
import { Promotions } from './promotions.ts';
import { readSingleSignOn } from './single-sign-on.ts';
import type { Team } from './team.ts';
import { listen, planListener, type ListenerPlan } from './listener.ts';
import { People } from './people.ts';
import { Quotas } from './quotas.ts';
import { Forwarder } from './replicas/forward.ts';
import { ownerIn } from './replicas/owner-in.ts';
import { Replica, type Notice } from './replicas/replica.ts';
import { Routing } from './replicas/routing.ts';
import { Spaces } from './spaces.ts';
import { TeamRules } from './team-rules.ts';
import { WaitingApprovals } from './waiting-approvals.ts';

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

/** One hub for a team: people by sessions and keys, each in a space of their own. One of several replicas. */
export async function runTeam(options: RunTeamOptions): Promise<RunningTeam> {
  const { paths, env, clock, ids, logger, version } = options;
  const { address: databaseAddress, secret, url: given, plan } = checkGiven(options);
  const singleSignOn = readSingleSignOn(env);
  await using opened = new Cleanup();
  checkOwnFolders(paths);
  await makePrivateFolder(paths.data);
  checkOwnContents(paths);
  const lock = takeLock(join(paths.data, 'team.lock'));
  if (!lock) throw runsAlready();
  opened.defer(() => lock.release());
  const database = opened.use(await openTeamDatabase(databaseAddress, { clock, ids }));
  const listening = await listen(plan, clock);
  opened.defer(() => listening.close());
  const ownAddress = `http://${plan.host}:${listening.port}`;
  const url = given ?? ownAddress;
  const { guard = publicOnly, ca, pageFolder } = options;
  const trusted = ca === undefined ? {} : { ca };
  const outside = opened.use(createHttpClient({ clock, ids, guard, ...trusted }));
  const own = opened.use(createHttpClient({ clock, ids, env, ...trusted }));
  const fetching = { fetch: bounded(outside, clock, guard), fetchOwn: bounded(own, clock) };
  const people = await People.open({ database, url, secret, clock, logger, singleSignOn, ...fetching });
  const credentials = new Credentials({ people, url, clock, ids, trouble: database.trouble });
  people.onChange((gone) =>
    ignore(
      replica.tell({ kind: 'people', ...(gone === undefined ? {} : { removed: gone }) }),
      'it is logged',
    ),
  );
  const forwarder = new Forwarder({ clock, logger });
  opened.defer(() => forwarder[Symbol.dispose]());
  const replica = opened.use(
    await Replica.open({
      database,
      clock,
      ids,
      logger,
      address: env['PLUG_REPLICA_ADDRESS'] || reachable(plan.host, listening.port),
      onNotice: (notice) => ignore(hear(notice), 'what could not be read again is read with the next use'),
      onMissed: () => ignore(readAgain(), 'what could not be read again is read with the next use'),
      onLost: () => spaces.endAll(),
    }),
  );
  const { storage } = database;
  const forVaults = { [MASTER_KEY_VARIABLE]: env[MASTER_KEY_VARIABLE] };
  const common = { version, clock, ids, logger };
  const groups = new Groups(people, clock);
  const groupsOf = (person: string): Promise<readonly string[]> => groups.namesOf(person);
  const { settings, counters } = storage;
  const quotas = new Quotas({ settings, counters, clock, groupsOf });
  await quotas.read();
  const teamRules = new TeamRules({ settings, groupsOf });
  const waitingApprovals = new WaitingApprovals({ store: storage.waiting, groups, clock, logger });
  const callbacks = new TeamCallbacks(url);
  const forIdentities = { storage, env: forVaults, folder: paths.data, fetch: fetching.fetchOwn };
  const identities =
    singleSignOn && opened.use(new Identities({ ...common, ...forIdentities, singleSignOn }).follow(people));
  const spaces = new Spaces({
    ...common,
    storage,
    paths,
    guard,
    callbacks,
    identities,
    replica,
    quotas,
    teamRules,
    waitingApprovals,
    env: forVaults,
  });
  opened.defer(() => spaces.close());
  const hear = async (notice: Notice): Promise<void> => {
    if (notice.kind === 'gone') return forwarder.end(notice.address);
    if (notice.kind === 'shared') return await readShared();
    credentials.forget();
    if (notice.removed !== undefined) await spaces.endPerson(notice.removed);
  };
  const readShared = async (): Promise<void> => {
    await quotas.read();
    await spaces.reloadAll();
  };
  const readAgain = async (): Promise<void> => {
    credentials.forget();
    await readShared();
    await endAbsent(people, spaces);
  };
  const exporter = opened.use(
    new Exporter({ ...common, ...fetching, people, storage, replica: replica.id, folder: paths.data, env }),
  );
  const team: Team = {
    exporter,
    people,
    credentials,
    groups,
    directoryTokens: new DirectoryTokens(people, clock),
    promotions: new Promotions(people, clock),
    spaces,
    quotas,
    teamRules,
    approvals: waitingApprovals,
    callbacks,
    storage,
    singleSignOn,
    url,
    pageFolder,
    logger,
    destroyVault: (owner) => database.destroyVault(owner),
    changedShared: async () => {
      await readShared();
      await replica.tell({ kind: 'shared' });
    },
    isReady: () => !replica.isLeaving,
  };
  const front = new Front(team, clock);
  const hosts = new HostFront({ ...common, credentials, spaces, url });
  opened.defer(endDeactivated(team, clock));
  const ownerOf = ownerIn({ people, credentials, hosts, approvals: waitingApprovals });
  const arrive = (owner: string) => spaces.arrive(owner);
  const routing = new Routing({ replica, forwarder, ownAddress, clock, ownerOf, arrive });
  const api = getRequestListener(
    (request, { incoming }) => front.fetch(request, plan.trusted.peerOf(incoming)),
    { overrideGlobalObjects: false },
  );
  listening.serve(async (request, response) => {
    // A kept connection would be used once more just when it ends, and what became of that request could not be told.
    if (replica.isLeaving) response.setHeader('connection', 'close');
    try {
      if (await routing.passOn(request, response)) return;
    } catch (error) {
      return refuse(response, error);
    }
    if (hosts.isForHosts(request.url ?? '')) await hosts.request(request, response);
    else await api(request, response);
  });
  const setUpLink = (await people.team()) ? undefined : `${url}/set-up/${await people.setUpToken()}`;

  opened.defer(() => drain(replica, spaces, clock));
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
 * Somebody who was removed or deactivated, here or by another replica whose notice was missed, has nothing
 * under way for longer than this. Requests ask for themselves; calls and streams that have begun are ended.
 */
function endDeactivated({ people, spaces, logger }: Team, clock: Clock): Cancel {
  return clock.every(teamLimits.deactivatedMs, () => {
    endAbsent(people, spaces).catch((error: unknown) =>
      logger.warn('whether people are still in the team is unknown', { error: messageOf(error) }),
    );
  });
}

async function endAbsent(people: People, spaces: Spaces): Promise<void> {
  for (const id of await people.absentOf(spaces.people)) await spaces.endPerson(id);
}

/** Answers what runs, and hands over what nobody uses; others answer what comes from now on. */
async function drain(replica: Replica, spaces: Spaces, clock: Clock): Promise<void> {
  replica.leave();
  spaces.endStreams();
  const deadline = clock.monotonic() + teamLimits.drainMs;
  while (spaces.handOver() > 0 && clock.monotonic() < deadline) await clock.sleep(teamLimits.drainPollMs);
}

/** A name that the other replicas know, where we listen at all addresses. */
function reachable(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? hostname() : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Says what is missing before anything is opened. The keys are given, so that no machine is the only one. */
function checkGiven(options: RunTeamOptions): {
  readonly address: string;
  readonly secret: string;
  readonly url: string | undefined;
  readonly plan: ListenerPlan;
} {
  const { database, env, port = 0, behindProxy = false } = options;
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
  const { url: named = env['PLUG_TEAM_URL'] || undefined } = options;
  const url = named === undefined ? undefined : originOf(named);
  return { address: database, secret, url, plan: planListener({ port, env, url, behindProxy }) };
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

function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && ['http:', 'https:'].includes(parsed.protocol) && parsed.pathname === '/')
    return parsed.origin;
  const remedy = 'Write it as https://plug.example.com, without a path.';
  throw new PlugError('usage', 'The address of the team cannot be read.', { owner: 'you', remedy });
}
