import type { Kysely } from 'kysely';
import { isObject } from '../../base/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Moves our own facts out of the fields of other clients, where a checksum was taken for a secret. */
export async function moveOwnFields(db: Kysely<unknown>): Promise<void> {
  // The table as it is at this step.
  const tables = db as Kysely<{ servers: { owner: string; name: string; body: string } }>;
  for (const { owner, name, body } of await tables.selectFrom('servers').selectAll().execute()) {
    const moved = moveFields(body);
    if (moved === body) continue;
    const row = tables.updateTable('servers').set({ body: moved });
    await row.where('owner', '=', owner).where('name', '=', name).execute();
  }
}

function moveFields(body: string): string {
  const definition: unknown = JSON.parse(body);
  if (!isObject(definition) || !isObject(definition['extra'])) return body;
  const { integrity, follow, icons, ...others } = definition['extra'];
  const isOurs = typeof integrity === 'string' || isObject(follow) || Array.isArray(icons);
  if (!isOurs) return body;
  return JSON.stringify({
    ...definition,
    ...withChecksum(definition['package'], integrity),
    ...(isObject(follow) ? { follow: withEntry(follow) } : {}),
    ...(Array.isArray(icons) ? { icons: icons.flatMap(sourceOf) } : {}),
    extra: others,
  });
}

/** A checksum that was moved into the vault cannot be compared any more: it is left out. */
function withChecksum(pack: unknown, integrity: unknown): Fields {
  if (!isObject(pack) || typeof integrity !== 'string' || integrity.startsWith('${')) return {};
  return { package: { ...pack, integrity } };
}

function withEntry({ key, ...rest }: Fields): Fields {
  return { ...rest, entry: key };
}

function sourceOf(icon: unknown): readonly string[] {
  const source = isObject(icon) ? icon['src'] : icon;
  return typeof source === 'string' ? [source] : [];
}
