import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { secretBytes } from '../../base/ids.ts';
import { digestOf } from '../oauth/digest.ts';
import type { People, Person } from '../people.ts';
import { scimLimits } from './limits.ts';

/** Recognizable to people and secret scanners. */
const TOKEN_PREFIX = 'plugscim_';
const MODEL = 'directoryToken';

export interface DirectoryToken {
  readonly id: string;
  readonly name: string;
  /** Who made it: what it may do ends with what they may do. */
  readonly by: string;
  readonly createdAt: string;
  readonly usedAt?: string;
}

/** A directory that has shown a token, and the admin for whom it acts. */
export interface Directory {
  readonly token: string;
  readonly admin: Person;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly usedAt?: Date | null;
}

export class DirectoryTokens {
  readonly #people: People;
  readonly #clock: Clock;

  constructor(people: People, clock: Clock) {
    this.#people = people;
    this.#clock = clock;
  }

  /** Shown once; only its digest is kept. */
  async add(
    { id }: Pick<Person, 'id'>,
    name: string,
  ): Promise<{ readonly id: string; readonly token: string }> {
    const rows = await this.#people.rows();
    if ((await rows.count({ model: MODEL })) >= scimLimits.tokensMax) throw tooMany();
    const token = `${TOKEN_PREFIX}${secretBytes(32).toString('base64url')}`;
    const createdAt = new Date(this.#clock.now());
    const data = { digest: digestOf(token), name, userId: id, createdAt };
    const made = await rows.create<typeof data, Row>({ model: MODEL, data });
    return { id: made.id, token };
  }

  async list(): Promise<readonly DirectoryToken[]> {
    const rows = await this.#people.rows();
    const found = await rows.findMany<Row>({ model: MODEL, limit: scimLimits.tokensMax });
    return found.map(({ id, name, userId, createdAt, usedAt }) => ({
      id,
      name,
      by: userId,
      createdAt: createdAt.toISOString(),
      ...(usedAt ? { usedAt: usedAt.toISOString() } : {}),
    }));
  }

  /** False for one that is not there. */
  async remove(id: string): Promise<boolean> {
    const rows = await this.#people.rows();
    return (await rows.deleteMany({ model: MODEL, where: [{ field: 'id', value: id }] })) > 0;
  }

  /** Looked up each time: a token that was revoked, or whose admin is none any more, opens nothing at once. */
  async find(shown: string): Promise<Directory | undefined> {
    if (!shown.startsWith(TOKEN_PREFIX) || shown.length > TOKEN_CHARS_MAX) return undefined;
    const rows = await this.#people.rows();
    const where = [{ field: 'digest', value: digestOf(shown) }];
    const row = await rows.findOne<Row>({ model: MODEL, where });
    const admin = row ? await this.#people.find(row.userId) : undefined;
    const mayAct = admin?.active && (admin.role === 'owner' || admin.role === 'admin');
    if (!row || !mayAct) return undefined;
    const now = this.#clock.now();
    if (now - (row.usedAt?.getTime() ?? 0) > scimLimits.usedMs)
      await rows.update({ model: MODEL, where, update: { usedAt: new Date(now) } });
    return { token: row.name, admin };
  }
}

const TOKEN_CHARS_MAX = 128;

function tooMany(): PlugError {
  const remedy = 'Revoke one that is no longer used.';
  const message = `A team has at most ${scimLimits.tokensMax} directory tokens.`;
  return new PlugError('too_large', message, { owner: 'you', remedy });
}
