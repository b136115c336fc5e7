import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { isServerId } from '../servers/definition.ts';
import type { CounterStore, SettingStore } from '../servers/store.ts';
import { checkGroupNames } from './group-names.ts';
import { teamLimits } from './limits.ts';
import { idOf, TEAM_OWNER } from './owners.ts';

/** How many calls may be made: by each person, by one of them, or by all together. */
export interface Quota {
  readonly calls: number;
  readonly per: Span;
  /** Counted for each person by themselves, or for all of them together. Default: each. */
  readonly of?: 'each' | 'all';
  /** Of this server alone. */
  readonly server?: string;
  /** For this person alone. */
  readonly person?: string;
  /** For the people of this group alone. */
  readonly group?: string;
}

type Span = 'minute' | 'hour' | 'day';

const SPAN_MS: Readonly<Record<Span, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

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

  async replace(given: unknown): Promise<readonly Quota[]> {
    const quotas = readQuotas(given);
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

function readQuotas(given: unknown): readonly Quota[] {
  if (!Array.isArray(given) || given.length > teamLimits.quotasMax)
    throw bad('a list of quotas, not too long');
  return given.map(readQuota);
}

function readQuota(given: unknown): Quota {
  if (!isObject(given)) throw bad('an object for each quota');
  const { calls, per, of, server, person, group, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(`nothing named “${unknown.slice(0, 40)}”`);
  if (typeof calls !== 'number' || !Number.isSafeInteger(calls) || calls < 0) throw bad('“calls”, a number');
  if (per !== 'minute' && per !== 'hour' && per !== 'day') throw bad('“per”: minute, hour or day');
  if (of !== undefined && of !== 'each' && of !== 'all') throw bad('“of”: each or all');
  if (server !== undefined && (typeof server !== 'string' || !isServerId(server)))
    throw bad('“server”, an id');
  return {
    calls,
    per,
    ...(of === undefined ? {} : { of }),
    ...(server === undefined ? {} : { server }),
    ...nameIn('person', person),
    ...nameIn('group', group),
  };
}

function nameIn(field: 'person' | 'group', value: unknown): Partial<Pick<Quota, 'person' | 'group'>> {
  if (value === undefined) return {};
  if (typeof value === 'string' && value !== '' && value.length <= teamLimits.nameCharsMax)
    return { [field]: value };
  throw bad(`“${field}”, a name`);
}

function bad(wanted: string): PlugError {
  return new PlugError('usage', `Quotas need ${wanted}.`, { owner: 'you' });
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
