import { hash } from 'node:crypto';
import { Client } from 'pg';

/**
 * More people like one that is there: their rows are copied in the database, by a role above the policies.
 * Each gets a key that is made up here, since making one by the product hashes a password first.
 */
export async function addPeople(
  url: string,
  options: { readonly like: string; readonly from: number; readonly to: number },
): Promise<readonly string[]> {
  const { like, from, to } = options;
  const client = new Client(url);
  await client.connect();
  const keys = Array.from({ length: to - from }, (_, index) => keyOf(from + index));
  try {
    for (const { table, columns } of await ownedTables(client)) {
      const list = columns.map((column) => `"${column}"`).join(', ');
      await client.query(
        `insert into plugboard.${table} (owner, ${list})
         select 'person:bench' || n, ${list} from plugboard.${table}, generate_series($1::int, $2::int - 1) as n
         where owner = $3`,
        [from, to, `person:${like}`],
      );
    }
    const columnsOf = async (table: string): Promise<readonly string[]> => {
      const { rows } = await client.query(
        `select column_name as name from information_schema.columns
         where table_schema = 'plugboard_people' and table_name = $1`,
        [table],
      );
      return rows.map(({ name }) => String(name));
    };
    const copies = [
      { table: 'user', where: 'id', changed: { id: `'bench' || n`, email: `'bench' || n || '@team.test'` } },
      { table: 'member', where: 'userId', changed: { id: `'member' || n`, userId: `'bench' || n` } },
      {
        table: 'apikey',
        where: 'referenceId',
        changed: { id: `'key' || n`, referenceId: `'bench' || n`, key: `($4::text[])[n - $1 + 1]` },
      },
    ];
    for (const { table, where, changed } of copies) {
      const names = await columnsOf(table);
      const changes: Readonly<Record<string, string>> = changed;
      const values = names.map((name) => changes[name] ?? `"${name}"`);
      const hashes = keys.map((key) => hash('sha256', key, 'base64url'));
      await client.query(
        `insert into plugboard_people."${table}" (${names.map((name) => `"${name}"`).join(', ')})
         select ${values.join(', ')} from plugboard_people."${table}", generate_series($1::int, $2::int - 1) as n
         where "${where}" = $3 and coalesce(array_length($4::text[], 1), 0) > 0`,
        [from, to, like, hashes],
      );
    }
    await client.query('analyze');
  } finally {
    await client.end();
  }
  return keys;
}

export function keyOf(n: number): string {
  return `plugkey_${String(n).padStart(64, 'k')}`;
}

/** Those that a person at work has rows in; none of what has ids of its own beside the owner. */
async function ownedTables(client: Client) {
  const tables = [
    'servers',
    'manifests',
    'pins',
    'tool_facts',
    'verdicts',
    'grants',
    'settings',
    'server_trust',
  ];
  const { rows } = await client.query(
    `select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = 'plugboard' and table_name = any($1) and column_name <> 'owner' group by 1`,
    [tables],
  );
  return rows as readonly { readonly table: string; readonly columns: readonly string[] }[];
}
