import { secretBytes } from '../../base/ids.ts';
import { digestOf } from '../oauth/digest.ts';
import type { People } from '../people.ts';

const PREFIX = 'plugscim_';
const MODEL = 'directoryKey';
const SHOWN_MAX = 100;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Keys of identity providers; only digests are kept. They open the directory and nothing else. */
export class DirectoryKeys {
  readonly #people: People;

  constructor(people: People) {
    this.#people = people;
  }

  async list(): Promise<readonly { id: string; name: string; createdAt: string }[]> {
    const { adapter } = await this.#people.auth.$context;
    const rows = await adapter.findMany<Row>({ model: MODEL, limit: SHOWN_MAX });
    return rows.map(({ id, name, createdAt }) => ({ id, name, createdAt: createdAt.toISOString() }));
  }

  /** Shown once. */
  async add(name: string): Promise<{ readonly id: string; readonly key: string }> {
    const { adapter } = await this.#people.auth.$context;
    const key = `${PREFIX}${secretBytes(32).toString('base64url')}`;
    const data = { name, digest: digestOf(key), createdAt: this.#people.now() };
    const { id } = await adapter.create<typeof data, Row>({ model: MODEL, data });
    return { id, key };
  }

  async remove(id: string): Promise<boolean> {
    const { adapter } = await this.#people.auth.$context;
    return (await adapter.deleteMany({ model: MODEL, where: [{ field: 'id', value: id }] })) > 0;
  }

  /** Looked up with each request: a key that is removed opens nothing from then on. */
  async admits(authorization: string | null): Promise<boolean> {
    const key = /^bearer (\S{1,256})$/i.exec(authorization ?? '')?.[1];
    if (!key?.startsWith(PREFIX)) return false;
    const { adapter } = await this.#people.auth.$context;
    const where = [{ field: 'digest', value: digestOf(key) }];
    return (await adapter.findOne<Row>({ model: MODEL, where })) !== null;
  }
}
