import { sql } from 'kysely';
import type { EntryWords, QueryWord } from '../../servers/registry/words.ts';
import type { OwnRows } from './own-rows.ts';

interface WordQuery {
  readonly registries?: readonly string[] | undefined;
  readonly words: readonly QueryWord[];
  readonly match: 'all' | 'any';
  readonly limit: number;
}

/** Full-text search. Words come split and in lower case, so that no database applies rules of its own. */
export interface WordIndex {
  put(own: OwnRows, rows: readonly { readonly seq: number; readonly words: EntryWords }[]): Promise<void>;
  remove(own: OwnRows, seqs: readonly number[]): Promise<void>;
  /** Keys of the entries. With all words: verified, use count, fit, name; with any of them: fit, name. */
  search(own: OwnRows, query: WordQuery): Promise<readonly number[]>;
}

interface Seq {
  readonly seq: number;
}

export const sqliteWords: WordIndex = {
  async put({ executor }, rows) {
    for (const { seq, words } of rows) {
      await sql`insert or replace into registry_words (rowid, name, text)
        values (${seq}, ${words.name.join(' ')}, ${words.text.join(' ')})`.execute(executor);
    }
  },
  async remove({ executor }, seqs) {
    if (seqs.length === 0) return;
    await sql`delete from registry_words where rowid in (${sql.join(seqs)})`.execute(executor);
  },
  async search({ executor, owner }, { registries, words, match: which, limit }) {
    const among = registries ? sql`and e.registry in (${sql.join(registries)})` : sql``;
    const joint = which === 'all' ? ' AND ' : ' OR ';
    const match = words.map(({ word, prefix }) => `"${word}"${prefix ? '*' : ''}`).join(joint);
    const broad = words.length === 0 || (which === 'all' && (await isBroad(executor, match)));
    const first = which === 'all' ? sql`e.verified desc, e.use_count desc,` : sql``;
    const matching =
      words.length === 0
        ? sql``
        : sql`and e.seq in (select rowid from registry_words where registry_words match ${match})`;
    const query = broad
      ? sql<Seq>`select e.seq from registry_entries e where e.owner = ${owner} ${among} ${matching}
            order by e.verified desc, e.use_count desc, e.name limit ${limit}`
      : sql<Seq>`select e.seq from registry_words w join registry_entries e on e.seq = w.rowid
            where registry_words match ${match} and e.owner = ${owner} ${among}
            order by ${first} bm25(registry_words, 10.0, 1.0), e.name limit ${limit}`;
    return (await query.execute(executor)).rows.map(({ seq }) => seq);
  },
};

/** A word in this many servers says little about any of them: ranking by it isn't worth the time. */
const BROAD = 2_000;

async function isBroad(db: OwnRows['executor'], match: string): Promise<boolean> {
  const { rows } = await sql<{ readonly count: number }>`select count(*) as count from
    (select rowid from registry_words where registry_words match ${match} limit ${BROAD + 1})`.execute(db);
  return (rows[0]?.count ?? 0) > BROAD;
}

export const postgresWords: WordIndex = {
  async put(own, rows) {
    for (const { seq, words } of rows) {
      await own
        .update('registry_entries')
        .set(sql`words`, sql`${vectorOf(words)}::tsvector`)
        .where('seq', '=', seq)
        .execute();
    }
  },
  // The words go with their row.
  remove: () => Promise.resolve(),
  async search(own, { registries, words, match: which, limit }) {
    const joint = which === 'all' ? ' & ' : ' | ';
    const match = words.map(({ word, prefix }) => `'${word}'${prefix ? ':*' : ''}`).join(joint);
    let query = own.select('registry_entries').select('seq');
    if (registries) query = query.where('registry', 'in', registries);
    if (words.length > 0) query = query.where(sql<boolean>`words @@ ${match}::tsquery`);
    if (which === 'all' || words.length === 0)
      query = query.orderBy('verified', 'desc').orderBy('use_count', 'desc');
    if (words.length > 0) query = query.orderBy(sql`ts_rank(words, ${match}::tsquery)`, 'desc');
    const rows = await query
      .orderBy(sql`name collate "C"`)
      .limit(limit)
      .execute();
    return rows.map(({ seq }) => seq);
  },
};

/** A tsvector as text: names weigh A, the rest D. Words hold letters and digits alone. */
function vectorOf({ name, text }: EntryWords): string {
  const lexemes = [
    ...name.map((word) => ({ word, weight: 'A' })),
    ...text.map((word) => ({ word, weight: '' })),
  ];
  return lexemes.map(({ word, weight }, index) => `'${word}':${index + 1}${weight}`).join(' ');
}
