import type { Remedy } from '../base/remedy.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Grant } from './grant.ts';
import type { PolicyStore } from './store.ts';

interface GrantsOptions {
  readonly store: PolicyStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
}

export type NewGrantRow = Omit<Grant, 'id' | 'createdAt'>;

/** All grants of one owner; session grants are only in memory. */
export class Grants {
  readonly #options: GrantsOptions;
  readonly #index: GrantIndex;

  private constructor(options: GrantsOptions, grants: readonly Grant[]) {
    this.#options = options;
    this.#index = new GrantIndex(grants);
  }

  static async load(options: GrantsOptions): Promise<Grants> {
    const grants = new Grants(options, await options.store.listGrants(options.owner));
    await grants.#prune();
    return grants;
  }

  get index(): Pick<GrantIndex, 'ofTool' | 'ofReads'> {
    return this.#index;
  }

  /** Some that are gone with this hub. */
  get hasOfSession(): boolean {
    return this.#index.all().some(({ session }) => session);
  }

  async list(query: { readonly server?: string } = {}): Promise<readonly Grant[]> {
    await this.#prune();
    return this.#index
      .all()
      .filter(({ server }) => query.server === undefined || server === query.server)
      .toSorted((a, b) => b.createdAt - a.createdAt);
  }

  /** No duplicates, except one-time grants. */
  async add(row: NewGrantRow): Promise<Grant> {
    const { clock, ids, store, owner } = this.#options;
    await this.#prune();
    this.#check(row);
    const same = row.scope.kind === 'once' ? undefined : this.#equal(row);
    if (same) return same;
    this.#checkRoom(row);
    const grant: Grant = { ...row, id: ids.next('grant'), createdAt: clock.now() };
    if (!grant.session) await store.putGrant(owner, grant);
    this.#index.add(grant);
    return grant;
  }

  async revoke(id: string): Promise<void> {
    const { store, owner } = this.#options;
    // First here: from now on no decision sees it.
    const here = this.#index.delete(id);
    const kept = await store.deleteGrant(owner, id);
    if (here || kept) return;
    const remedy: Remedy = { do: 'show', what: 'grants' };
    throw new PlugError('not_found', `There is no grant “${id.slice(0, 80)}”.`, { owner: 'you', remedy });
  }

  /** Holds now and isn't used up by a call: nothing to claim. */
  lasts(id: string): boolean {
    const grant = this.#index.get(id);
    if (!grant || grant.scope.kind === 'once') return false;
    return grant.until === undefined || this.#options.clock.now() < grant.until;
  }

  /** Uses up a one-time grant: of parallel calls, also in other processes, exactly one gets true. */
  async claim(id: string): Promise<boolean> {
    const { clock, store, owner } = this.#options;
    const grant = this.#index.get(id);
    if (!grant || (grant.until !== undefined && clock.now() >= grant.until)) return false;
    if (grant.scope.kind !== 'once') return true;
    this.#index.delete(id);
    if (grant.session) return true;
    try {
      return await store.deleteGrant(owner, id);
    } catch (error) {
      // Still in the store, and nothing was called: it must not be lost.
      this.#index.add(grant);
      throw error;
    }
  }

  forgetServer(server: string): void {
    for (const grant of this.#index.all()) if (grant.server === server) this.#index.delete(grant.id);
  }

  async #prune(): Promise<void> {
    const { clock, store, owner } = this.#options;
    const now = clock.now();
    const expired = this.#index.all().filter(({ until }) => until !== undefined && until <= now);
    for (const { id } of expired) this.#index.delete(id);
    for (const { id, session } of expired) if (!session) await store.deleteGrant(owner, id);
  }

  #equal(row: NewGrantRow): Grant | undefined {
    const wanted = bindingOf(row);
    return this.#index.beside(row).find((grant) => bindingOf(grant) === wanted);
  }

  #check({ scope, until }: NewGrantRow): void {
    const { clock, limits } = this.#options;
    if (until !== undefined && !(until > clock.now())) {
      const remedy = { do: 'say', text: 'Give a date in the future.' } as const;
      throw unusable('The date is in the past.', remedy);
    }
    if (scope.kind !== 'arguments') return;
    const entries = Object.entries(scope.pattern);
    const tooLong = entries.some(([path, glob]) => Math.max(path.length, glob.length) > limits.globCharsMax);
    if (entries.length === 0 || entries.length > limits.grantPatternPathsMax || tooLong) {
      throw unusable(
        `It must name 1 to ${limits.grantPatternPathsMax} arguments, each with a pattern of at most ${limits.globCharsMax} characters.`,
        { do: 'say', text: 'Name an argument and its pattern, as in repo=acme/*.' },
      );
    }
  }

  #checkRoom(row: NewGrantRow): void {
    const { grantsMax, grantsPerToolMax } = this.#options.limits;
    const full = this.#index.size >= grantsMax || this.#index.beside(row).length >= grantsPerToolMax;
    if (full) throw unusable('There are too many grants already.', { do: 'show', what: 'grants' });
  }
}

function bindingOf({ principal, server, fingerprint, account, scope, until, session }: NewGrantRow): string {
  return canonicalJson({ principal, server, fingerprint, account, scope, until, session });
}

function unusable(why: string, remedy: Remedy): PlugError {
  return new PlugError('usage', `This cannot be granted. ${why}`, { owner: 'you', remedy });
}

export class GrantIndex {
  readonly #byId = new Map<string, Grant>();
  /** By server, then by tool or READS. */
  readonly #byServer = new Map<string, Map<string | typeof READS, Grant[]>>();

  constructor(grants: Iterable<Grant> = []) {
    for (const grant of grants) this.add(grant);
  }

  get size(): number {
    return this.#byId.size;
  }

  all(): readonly Grant[] {
    return [...this.#byId.values()];
  }

  get(id: string): Grant | undefined {
    return this.#byId.get(id);
  }

  ofTool(server: string, tool: string): readonly Grant[] {
    return this.#byServer.get(server)?.get(tool) ?? NONE;
  }

  ofReads(server: string): readonly Grant[] {
    return this.#byServer.get(server)?.get(READS) ?? NONE;
  }

  beside({ server, scope }: Pick<Grant, 'server' | 'scope'>): readonly Grant[] {
    return this.#byServer.get(server)?.get(scope.kind === 'reads' ? READS : scope.tool) ?? NONE;
  }

  add(grant: Grant): void {
    this.delete(grant.id);
    this.#byId.set(grant.id, grant);
    const { server, scope } = grant;
    const key = scope.kind === 'reads' ? READS : scope.tool;
    const shelves = this.#byServer.get(server) ?? new Map<string | typeof READS, Grant[]>();
    this.#byServer.set(server, shelves);
    const shelf = shelves.get(key);
    if (shelf) shelf.push(grant);
    else shelves.set(key, [grant]);
  }

  delete(id: string): boolean {
    const grant = this.#byId.get(id);
    if (!grant) return false;
    this.#byId.delete(id);
    const { server, scope } = grant;
    const key = scope.kind === 'reads' ? READS : scope.tool;
    const shelves = this.#byServer.get(server);
    const rest = this.beside(grant).filter((each) => each !== grant);
    if (rest.length > 0) shelves?.set(key, rest);
    else shelves?.delete(key);
    if (shelves?.size === 0) this.#byServer.delete(server);
    return true;
  }
}

const READS = Symbol('reads');
const NONE: readonly Grant[] = [];
