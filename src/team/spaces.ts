import { hash } from 'node:crypto';
import { join } from 'node:path';
import { createApi, type Api } from '../api/app.ts';
import type { FoldersHub } from '../api/folders.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, messageOf, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Paths } from '../base/paths.ts';
import { makePrivateFolder } from '../base/private-files.ts';
import type { AddressGuard } from '../connections/http/address-guard.ts';
import type { Client } from '../hub/client.ts';
import { openHub, type RootHub } from '../hub/open-hub.ts';
import type { Principal } from '../hub/principal.ts';
import type { Answerer, ApprovalAnswer, ApprovalOutcome } from '../policy/approval.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Storage } from '../storage/open.ts';
import type { TeamCallbacks } from './callbacks.ts';
import { teamLimits } from './limits.ts';
import { idOf, ownerOf, TEAM_OWNER } from './owners.ts';
import type { Identities } from './identity/identities.ts';
import type { Quotas } from './quotas.ts';
import type { Replica } from './replicas/replica.ts';
import type { TeamRules } from './team-rules.ts';
import type { WaitingApprovals } from './waiting-approvals.ts';

export interface SpacesOptions {
  readonly storage: Storage;
  readonly paths: Paths;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly guard: AddressGuard;
  readonly callbacks: TeamCallbacks;
  readonly identities: Pick<Identities, 'for'> | undefined;
  readonly replica: Pick<Replica, 'id' | 'hold' | 'letGo'>;
  readonly quotas: Pick<Quotas, 'take'>;
  readonly teamRules: Pick<TeamRules, 'textsFor'>;
  readonly waitingApprovals: Pick<WaitingApprovals, 'of'>;
  /** Of the hub's own variables, those that every space gets: for its vault. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A hub for one owner's rows, as one principal sees it. */
export interface View {
  readonly hub: FoldersHub;
  /** Made when it is first used: hosts never need it, and it is the largest part of a view. */
  readonly api: () => Api;
  /** Who looks. */
  readonly person: string;
  /** Run before the hub of this view is closed. */
  readonly closing: (() => PromiseLike<void>)[];
}

/** One hub for each owner who is at work, made when they come and closed when they have been away. */
export class Spaces {
  readonly #options: SpacesOptions;
  readonly #spaces = new Map<string, Space>();
  /** An owner has one hub at a time. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** How many requests are on their way to an owner's space. */
  readonly #arriving = new Map<string, number>();
  readonly #stopSweep: Cancel;
  readonly #stopping = new AbortController();

  constructor(options: SpacesOptions) {
    this.#options = options;
    this.#stopSweep = options.clock.every(teamLimits.spaceSweepMs, () => this.#sweep());
  }

  /** Whoever uses a space lets go of it: until then it stays. */
  async use(
    owner: string,
    principal: Principal,
  ): Promise<{ readonly view: View; readonly letGo: () => void }> {
    const space = this.#spaceOf(owner);
    space.users += 1;
    const letGo = (): void => {
      space.users -= 1;
      space.lastUsed = this.#options.clock.monotonic();
    };
    try {
      const hub = await space.opening;
      return { view: this.#viewOf(space, hub, principal), letGo };
    } catch (error) {
      letGo();
      if (this.#spaces.get(owner) === space) this.#spaces.delete(owner);
      throw error;
    }
  }

  /** A request on its way to a space: until it is let go of, the space isn't handed over. */
  async arrive(owner: string): Promise<(() => void) | undefined> {
    const leaving = this.#leaving.get(owner);
    if (leaving) {
      await leaving;
      return undefined;
    }
    this.#arriving.set(owner, (this.#arriving.get(owner) ?? 0) + 1);
    return () => {
      const left = (this.#arriving.get(owner) ?? 1) - 1;
      if (left > 0) this.#arriving.set(owner, left);
      else this.#arriving.delete(owner);
    };
  }

  /** Undefined where nothing of this owner is under way here. */
  async approve(
    owner: string,
    id: string,
    answer: ApprovalAnswer,
    by: Answerer,
  ): Promise<ApprovalOutcome | undefined> {
    const space = this.#spaces.get(owner);
    return space && (await (await space.opening).approve(id, answer, by));
  }

  /** Ends what an owner has under way. */
  async end(owner: string): Promise<void> {
    const space = this.#spaces.get(owner);
    if (!space) return;
    await this.#leave(owner, space);
  }

  /** Ends what everybody has under way: it is served elsewhere. */
  async endAll(): Promise<void> {
    await Promise.allSettled([...this.#spaces].map(([owner, space]) => this.#leave(owner, space)));
    await Promise.allSettled(this.#leaving.values());
  }

  /** Ends the streams of events: whoever follows them comes back, to another replica. */
  endStreams(): void {
    this.#stopping.abort(new Error('the hub was asked to stop'));
  }

  /** Closes those that nobody uses, so that another replica may have them; answers how many are left. */
  handOver(): number {
    for (const [owner, space] of this.#spaces)
      if (space.users === 0 && !this.#arriving.has(owner)) this.#drop(owner, space);
    return this.#spaces.size + this.#leaving.size;
  }

  /** Ends what somebody has under way, in their own space and in those that they look into. */
  async endPerson(id: string): Promise<void> {
    await this.end(ownerOf({ id }));
    await Promise.all([...this.#spaces.values()].map((space) => endViews(space, id)));
  }

  /** The people of whom something may be under way here. */
  get people(): readonly string[] {
    const all = [...this.#spaces.values()].flatMap(({ views }) => [...views.values()]);
    return [...new Set(all.map(({ person }) => person))];
  }

  /** After a change of what the team shares. */
  async reloadAll(): Promise<void> {
    const own = [...this.#spaces].filter(([owner]) => owner !== TEAM_OWNER);
    await Promise.allSettled(own.map(async ([, { opening }]) => (await opening).reloadShared()));
  }

  get owners(): readonly string[] {
    return [...this.#spaces.keys()];
  }

  get size(): number {
    return this.#spaces.size;
  }

  async close(): Promise<void> {
    this.#stopSweep();
    this.endStreams();
    await this.endAll();
  }

  #spaceOf(owner: string): Space {
    const known = this.#spaces.get(owner);
    if (known) {
      // Set anew, so that the one longest unused comes first.
      this.#spaces.delete(owner);
      this.#spaces.set(owner, known);
      return known;
    }
    this.#makeRoom();
    const { clock } = this.#options;
    const opening = this.#open(owner);
    const made: Space = { opening, views: new Map(), users: 0, lastUsed: clock.monotonic() };
    this.#spaces.set(owner, made);
    return made;
  }

  async #open(owner: string): Promise<RootHub> {
    const {
      storage,
      paths,
      guard,
      callbacks,
      replica,
      quotas,
      teamRules,
      waitingApprovals,
      env,
      version,
      clock,
      ids,
      logger,
    } = this.#options;
    const identity = this.#options.identities?.for(owner);
    await this.#leaving.get(owner);
    await replica.hold(owner);
    const folder = join(paths.data, 'owners', hash('sha256', owner).slice(0, 32));
    await makePrivateFolder(join(paths.data, 'owners'));
    await makePrivateFolder(folder);
    const shared = (): Promise<readonly ServerDefinition[]> => storage.servers.listServers(TEAM_OWNER);
    const ofTeam = {
      sharedServers: shared,
      quota: (server: string) => quotas.take(owner, server),
      ...(identity ? { identity } : {}),
    };
    const others = waitingApprovals.of(owner);
    const own = { owner, guard, others, holder: replica.id, callbacks: callbacks.for(owner) };
    // Rules hold for what the team shares, too.
    const tenancy = {
      ...own,
      sharedRules: () => teamRules.textsFor(idOf(owner)),
      ...(owner === TEAM_OWNER ? {} : ofTeam),
    };
    return await openHub({
      paths: { config: folder, data: folder, state: folder },
      cwd: folder,
      env: { ...env, PLUG_REMOTE_ONLY: '1', PLUG_NO_KEYRING: '1' },
      version,
      storage,
      tenancy,
      clock,
      ids,
      logger,
    });
  }

  #viewOf(space: Space, root: RootHub, principal: Principal): View {
    const key = `${principal.id} ${principal.team?.role} ${principal.team?.space}`;
    const known = space.views.get(key);
    if (known) return known;
    const as: RootHub['as'] = (client) => root.as({ ...client, principal });
    // Folders are those of the hub's machine: everybody works in their own.
    const hub: FoldersHub = Object.assign(as({ id: 'team', kind: 'library', principal }), {
      as,
      in: (_folder: string, caller?: Client) => Promise.resolve(caller ? as(caller) : hub),
    });
    const ended = new AbortController();
    const { version, clock, ids, logger } = this.#options;
    const closing: View['closing'] = [() => Promise.resolve(ended.abort(ENDED))];
    const makeApi = (): Api => {
      const made = createApi({
        hub,
        address: () => ({}),
        isToken: () => false,
        shutdown: () => undefined,
        stopping: AbortSignal.any([this.#stopping.signal, ended.signal]),
        principal,
        version,
        clock,
        ids,
        logger,
      });
      closing.push(() => made[Symbol.asyncDispose]());
      return made;
    };
    let api: Api | undefined;
    const view: View = { hub, api: () => (api ??= makeApi()), person: principal.id, closing };
    space.views.set(key, view);
    return view;
  }

  #makeRoom(): void {
    for (const [owner, space] of this.#spaces) {
      if (this.#spaces.size < teamLimits.spacesMax) return;
      if (space.users === 0) this.#drop(owner, space);
    }
    if (this.#spaces.size < teamLimits.spacesMax) return;
    const options = { owner: 'plugboard', remedy: { do: 'retry' } } as const;
    throw new PlugError('unavailable', 'As many people are at work as this hub has room for.', options);
  }

  #sweep(): void {
    const before = this.#options.clock.monotonic() - teamLimits.spaceIdleMs;
    for (const [owner, space] of this.#spaces) {
      if (space.users === 0 && space.lastUsed <= before) this.#drop(owner, space);
    }
  }

  #drop(owner: string, space: Space): void {
    ignore(this.#leave(owner, space), 'what went wrong is logged');
  }

  #leave(owner: string, space: Space): Promise<void> {
    if (this.#spaces.get(owner) === space) this.#spaces.delete(owner);
    const { logger, replica } = this.#options;
    const before = this.#leaving.get(owner);
    const leaving = (async (): Promise<void> => {
      await before;
      await closeSpace(space);
      await replica.letGo(owner);
    })()
      .catch((error: unknown) => logger.warn('a space did not close', { error: messageOf(error) }))
      .finally(() => {
        if (this.#leaving.get(owner) === leaving) this.#leaving.delete(owner);
      });
    this.#leaving.set(owner, leaving);
    return leaving;
  }
}

interface Space {
  readonly opening: Promise<RootHub>;
  readonly views: Map<string, View>;
  users: number;
  lastUsed: number;
}

const ENDED = new Error('the session has ended');

async function endViews({ views }: Space, person: string): Promise<void> {
  for (const [key, view] of views) {
    if (view.person !== person) continue;
    views.delete(key);
    for (const close of view.closing) await close();
  }
}

async function closeSpace({ opening, views }: Space): Promise<void> {
  const hub = await opening.catch(() => undefined);
  for (const { closing } of views.values()) for (const close of closing) await close();
  await hub?.close();
}
