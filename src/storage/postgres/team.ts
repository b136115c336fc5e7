import { CompiledQuery, sql } from 'kysely';
import { PlugError } from '../../base/errors.ts';
import type { Storage, StorageTiming } from '../storage.ts';
import { columnKey } from '../sql/rows.ts';
import { closeToOwners, rowScope } from './row-security.ts';
import { Notices, NOTIFY, type NoticesOptions } from './notices.ts';
import { openDatabase, SCHEMA, type Trouble } from './open.ts';
import { ReplicaRows } from './replica-rows.ts';

/** A database that many owners share. */
export interface TeamDatabase extends AsyncDisposable {
  readonly storage: Storage;
  /** For the library that keeps people, which makes tables in the schema of this name by itself. */
  readonly people: {
    readonly db: unknown;
    readonly schema: string;
    /** After it has made its tables: what is done in an owner's name sees none of them. */
    readonly close: () => Promise<void>;
  };
  /** For those who can't tell a database that is away from one that has nothing. */
  readonly trouble: Trouble;
  /** Destroys an owner's keys, and what they seal. */
  destroyVault(owner: string): Promise<void>;
  readonly replicas: ReplicaRows;
  /** Hears what any replica tells, this one included. Whoever opens it closes it. */
  hear(options: Omit<NoticesOptions, 'url' | keyof StorageTiming>): Promise<AsyncDisposable>;
  /** At most 7,999 bytes; nobody who is away hears it later. */
  tell(text: string): Promise<void>;
  /** One replica at a time, however many start at once. */
  alone(work: () => Promise<void>): Promise<void>;
}

const PEOPLE_SCHEMA = 'plugboard_people';
/** The number of our lock in this database; other programs choose others. */
const PREPARING = 7_584_233_002;

/** Refuses a role that is above the policies: then nothing would hold a forgotten condition of ours. */
export async function openTeamDatabase(url: string, timing: StorageTiming): Promise<TeamDatabase> {
  const { storage, root, run, trouble } = await openDatabase(url, timing);
  try {
    const { rows } = await run(() =>
      sql<{ readonly above: boolean }>`select rolsuper or rolbypassrls as above
        from pg_roles where rolname = current_user`.execute(root),
    );
    if (rows[0]?.above !== false) throw aboveThePolicies();
  } catch (error) {
    await storage.close();
    throw error;
  }
  return {
    storage,
    people: { db: root, schema: PEOPLE_SCHEMA, close: () => closeToOwners(root, PEOPLE_SCHEMA) },
    trouble,
    destroyVault: (owner) =>
      run(() =>
        rowScope.together(root.withSchema(SCHEMA), columnKey(owner), async (rows) => {
          // In this order: records refer to keys.
          for (const table of ['vault_records', 'vault_keys', 'vault_key_ring'] as const)
            await rows.delete(table).execute();
        }),
      ),
    replicas: new ReplicaRows({ db: root.withSchema(SCHEMA), schema: SCHEMA, run }),
    hear: (options) => Notices.open({ ...options, ...timing, url }),
    tell: async (text) => void (await run(() => root.executeQuery(CompiledQuery.raw(NOTIFY, [text])))),
    alone: (work) =>
      root.transaction().execute(async (step) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(PREPARING)})`.execute(step);
        await work();
      }),
    [Symbol.asyncDispose]: () => storage.close(),
  };
}

function aboveThePolicies(): PlugError {
  const message = 'The role of the database address is above row-level security, which keeps people apart.';
  const remedy = 'Connect with a role without SUPERUSER and BYPASSRLS that owns the database.';
  return new PlugError('bad_config', message, { owner: 'you', remedy });
}
