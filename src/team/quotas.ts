import { z, type z as zod } from 'zod';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Zod } from '../hub/operations/operation.ts';
import { isServerId } from '../servers/definition.ts';
import type { CounterStore, SettingStore } from '../servers/store.ts';
import { checkGroupNames } from './group-names.ts';
import { teamLimits } from './limits.ts';
import { idOf, TEAM_OWNER } from './owners.ts';

const name = (z: Zod) => z.string().min(1).max(teamLimits.nameCharsMax);

/** How many calls may be made: by each person, by one of them, or by all together. */
const quotaSchema = (z: Zod) =>
  z.strictObject({
    calls: z.number().int().nonnegative(),
    per: z.enum(['minute', 'hour', 'day']),
    /** Counted for each person by themselves, or for all of them together. Default: each. */
    of: z.enum(['each', 'all']).exactOptional(),
    /** Of this server alone. */
    server: z.string().refine(isServerId, 'must be the id of a server').exactOptional(),
    /** For this person alone. */
    person: name(z).exactOptional(),
    /** For the people of this group alone. */
    group: name(z).exactOptional(),
  });

export const quotasSchema = (z: Zod) => z.array(quotaSchema(z)).max(teamLimits.quotasMax);

export type Quota = Readonly<zod.output<ReturnType<typeof quotaSchema>>>;

const SPAN_MS: Readonly<Record<Quota['per'], number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

interface QuotasOptions {
  readonly settings: SettingStore;
  readonly counters: CounterStore;
  readonly clock: Clock;
  readonly groupsOf: (person: string) => Promise<readonly string[]>;
  /** The names of all groups of the team. */
  readonly groupNames: () => Promise<readonly string[]>;
}

/** Counted in the database, so that they hold whatever replica a call comes to. What can't be counted isn't made. */
export class Quotas {
  readonly #options: QuotasOptions;
  #quotas: readonly Quota[] | undefined;
  #reading: Promise<void> | undefined;
  #groups = new Map<string, Promise<readonly string[]>>();

  constructor(options: QuotasOptions) {
    this.#options = options;
  }

  /** At the start, and whenever a replica says that something was changed. */
  read(): Promise<void> {
    this.#quotas = undefined;
    this.#groups = new Map();
    const reading = this.#read();
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<void> {
    const stored = await this.#options.settings.getSetting(TEAM_OWNER, QUOTAS);
    this.#quotas = stored === undefined ? [] : readQuotas(stored.value);
  }

  /** Whole, also while they are read again: who is shown fewer would save fewer. */
  async all(): Promise<readonly Quota[]> {
    if (!this.#quotas) await Promise.allSettled([this.#reading]);
    if (this.#quotas) return this.#quotas;
    throw notCounted();
  }

  async replace(quotas: readonly Quota[]): Promise<readonly Quota[]> {
    await checkGroupNames(groupsIn(quotas), groupsIn(await this.all()), this.#options.groupNames);
    await this.#options.settings.putSetting(TEAM_OWNER, { name: QUOTAS, value: quotas });
    await this.read();
    return quotas;
  }

  /** Undefined where nothing is counted. */
  take(owner: string, server: string): Promise<void> | undefined {
    const quotas = this.#quotas;
    if (quotas?.length === 0) return undefined;
    return this.#take(owner, server);
  }

  async #take(owner: string, server: string): Promise<void> {
    // They are read again after each change of what the team shares.
    const quotas = await this.all();
    const person = idOf(owner);
    for (const quota of quotas) {
      if (!(await this.#concerns(quota, person, server))) continue;
      const spanMs = SPAN_MS[quota.per];
      const now = this.#options.clock.now();
      const span = Math.floor(now / spanMs);
      const counted = { name: nameOf(quota), span, max: quota.calls };
      const whose = quota.of === 'all' ? TEAM_OWNER : owner;
      if (await this.#options.counters.count(whose, counted)) continue;
      throw usedUp(quota, Math.ceil(((span + 1) * spanMs - now) / 1_000));
    }
  }

  async #concerns(quota: Quota, person: string, server: string): Promise<boolean> {
    if (quota.server !== undefined && quota.server !== server) return false;
    if (quota.person !== undefined && quota.person !== person) return false;
    return quota.group === undefined || (await this.#groupsOf(person)).includes(quota.group);
  }

  #groupsOf(person: string): Promise<readonly string[]> {
    const known = this.#groups.get(person) ?? this.#options.groupsOf(person);
    this.#groups.set(person, known);
    known.catch(() => this.#groups.delete(person));
    return known;
  }
}

const QUOTAS = 'quotas';

function groupsIn(quotas: readonly Quota[]): readonly string[] {
  return quotas.flatMap(({ group }) => group ?? []);
}

function nameOf({ calls: _calls, ...which }: Quota): string {
  const { per, of = 'each', server = '', person = '', group = '' } = which;
  return JSON.stringify(['quota', per, of, server, person, group]);
}

/** Only `replace` writes them. */
function readQuotas(stored: unknown): readonly Quota[] {
  const { success, data } = quotasSchema(z).safeParse(stored);
  if (success) return data;
  throw new PlugError('storage_failed', 'The quotas of the team cannot be read.', { owner: 'plugboard' });
}

function usedUp({ calls, per, server, of }: Quota, seconds: number): PlugError {
  const whose = of === 'all' ? 'The team' : 'You';
  const where = server === undefined ? '' : ` of “${server}”`;
  const message = `${whose} may make ${calls} calls${where} a ${per}, and they are made.`;
  const remedy = `Try again in ${seconds} s, or ask an admin of the team for more.`;
  return new PlugError('rate_limited', message, {
    owner: 'you',
    remedy,
    details: { retryAfterSeconds: seconds },
  });
}

function notCounted(): PlugError {
  const message = 'The quotas of the team cannot be read. No tool is called until they can.';
  return new PlugError('unavailable', message, { owner: 'plugboard', remedy: { do: 'retry' } });
}
