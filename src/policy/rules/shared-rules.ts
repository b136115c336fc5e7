import { parse } from 'jsonc-parser';
import { isObject } from '../../base/json.ts';
import type { Effect, PolicyDefaults } from '../decision.ts';
import { everythingAsks, parseRules, type Rules } from './parse.ts';
import { ruleSetOf, type SecretsInResults } from './rule.ts';

/** Rules that others have made for many, and that nobody of them can take back. */
export class SharedRules {
  readonly #read: () => Promise<readonly string[]>;
  #inForce: readonly Shared[] = [UNREADABLE];

  private constructor(read: () => Promise<readonly string[]>) {
    this.#read = read;
  }

  static async open(read: () => Promise<readonly string[]>): Promise<SharedRules> {
    const rules = new SharedRules(read);
    await rules.reload();
    return rules;
  }

  /** What cannot be read or understood asks about everything. */
  async reload(): Promise<void> {
    try {
      const texts = await this.#read();
      this.#inForce = await Promise.all(texts.map(sharedIn));
    } catch {
      this.#inForce = [UNREADABLE];
    }
  }

  /** Their rules stand before one's own; of defaults the stricter one holds. */
  before(own: Rules): Rules {
    if (this.#inForce.length === 0) return own;
    const all = [...this.#inForce.flatMap(({ rules }) => rules.all), ...own.all];
    const defaults = this.#inForce.reduce((so, shared) => stricterOf(so, shared.defaults), own.defaults);
    const secretsInResults = this.#inForce.reduce(
      (so, shared) => strictest(so, shared.secretsInResults),
      own.secretsInResults,
    );
    return { all, defaults, rules: ruleSetOf(all), secretsInResults };
  }
}

interface Shared {
  readonly rules: Rules;
  /** What the text says itself: what it leaves out is left to each. */
  readonly defaults: StatedDefaults;
  readonly secretsInResults?: SecretsInResults | undefined;
}

function sharedOf(rules: Rules): Rules {
  return {
    ...rules,
    all: rules.all.map((rule) => (rule.kind === 'rule' ? { ...rule, shared: true } : rule)),
  };
}

type Stated = Pick<Shared, 'defaults' | 'secretsInResults'>;

interface StatedDefaults extends Partial<Pick<PolicyDefaults, 'connect' | 'list'>> {
  readonly call?: Partial<PolicyDefaults['call']>;
}

const UNREADABLE: Shared = { rules: everythingAsks, defaults: {} };

async function sharedIn(text: string): Promise<Shared> {
  const parsed = await parseRules(text, { ofTeam: true });
  if (parsed.kind !== 'ok') return UNREADABLE;
  const whole: unknown = parse(text);
  // It has just been checked by `parseRules`.
  const { defaults, secretsInResults } = (isObject(whole) ? whole : {}) as Partial<Stated>;
  return { rules: sharedOf(parsed.rules), defaults: defaults ?? {}, secretsInResults };
}

function stricterOf({ connect, list, call }: PolicyDefaults, other: StatedDefaults): PolicyDefaults {
  return {
    connect: stricter(connect, other.connect),
    list: stricter(list, other.list),
    call: {
      read: stricter(call.read, other.call?.read),
      write: stricter(call.write, other.call?.write),
      destructive: stricter(call.destructive, other.call?.destructive),
      unknown: stricter(call.unknown, other.call?.unknown),
    },
  };
}

function stricter(one: Effect, other: Effect = 'allow'): Effect {
  return STRICTNESS[one] >= STRICTNESS[other] ? one : other;
}

function strictest(one: SecretsInResults, other: SecretsInResults = 'keep'): SecretsInResults {
  return HIDING[one] >= HIDING[other] ? one : other;
}

const HIDING: Readonly<Record<SecretsInResults, number>> = { keep: 0, mask: 1, block: 2 };

const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };
