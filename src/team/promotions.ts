import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { parseJson } from '../base/parse-json.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { teamLimits } from './limits.ts';
import type { People, Person } from './people.ts';

/** A server of somebody's own that they would like the team to share. */
export interface Promotion {
  readonly id: string;
  readonly server: string;
  readonly person: string;
  readonly createdAt: string;
  readonly definition: ServerDefinition;
}

interface Row {
  readonly id: string;
  readonly userId: string;
  readonly server: string;
  readonly definition: string;
  readonly createdAt: Date;
}

/** What waits for an admin's word. The definition is kept as the person sent it: later changes need another. */
export class Promotions {
  readonly #people: People;
  readonly #clock: Clock;

  constructor(people: People, clock: Clock) {
    this.#people = people;
    this.#clock = clock;
  }

  async add(person: Pick<Person, 'id'>, definition: ServerDefinition): Promise<Promotion> {
    const adapter = await this.#adapter();
    const own = [{ field: 'userId', value: person.id }];
    const same = [...own, { field: 'server', value: definition.id }];
    // Who asks again means the server as it is now.
    await adapter.deleteMany({ model: MODEL, where: same });
    if ((await adapter.count({ model: MODEL, where: own })) >= teamLimits.promotionsOfPersonMax)
      throw tooMany();
    const data = {
      userId: person.id,
      server: definition.id,
      definition: JSON.stringify(definition),
      createdAt: new Date(this.#clock.now()),
    };
    return promotionOf(await adapter.create<typeof data, Row>({ model: MODEL, data }));
  }

  /** Admins see those of everybody, others their own. */
  async list(of?: Pick<Person, 'id'>): Promise<readonly Promotion[]> {
    const adapter = await this.#adapter();
    const where = of ? [{ field: 'userId', value: of.id }] : [];
    const rows = await adapter.findMany<Row>({ model: MODEL, where, limit: SHOWN_MAX });
    return rows.map(promotionOf);
  }

  /** Of two admins who decide at once, one gets it. */
  async take(id: string): Promise<Promotion> {
    const adapter = await this.#adapter();
    const where = [{ field: 'id', value: id }];
    const row = await adapter.findOne<Row>({ model: MODEL, where });
    if (!row || (await adapter.deleteMany({ model: MODEL, where })) === 0) throw noPromotion();
    return promotionOf(row);
  }

  /** So that it can be decided about again. */
  async putBack({ person, definition }: Promotion): Promise<void> {
    await this.add({ id: person }, definition);
  }

  // oxlint-disable-next-line typescript/explicit-function-return-type -- the library's type
  async #adapter() {
    return (await this.#people.auth.$context).adapter;
  }
}

const MODEL = 'promotion';
const SHOWN_MAX = 1_000;

function promotionOf({ id, userId, server, definition, createdAt }: Row): Promotion {
  return {
    id,
    server,
    person: userId,
    createdAt: createdAt.toISOString(),
    definition: parseJson(definition) as ServerDefinition, // written by `add`
  };
}

function noPromotion(): PlugError {
  return new PlugError('not_found', 'Nothing like this waits for an admin.', { owner: 'you' });
}

function tooMany(): PlugError {
  return new PlugError('too_large', 'As many of your servers wait for an admin as may.', { owner: 'you' });
}
