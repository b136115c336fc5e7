import type { ResultStore, StoredResult } from '../../calls/stored-result.ts';
import { boundedCount, boundedTime } from '../order.ts';
import { breathe, type Database, together } from './run.ts';
import { fromBody, fromText, columnKey, toBody, toText } from './columns.ts';
import type { Tables } from './schema.ts';

export function sqlResultStore(database: Database): ResultStore {
  const { db, run } = database;
  return {
    /**
     * Piece by piece, as one large transaction would hold up everybody for as long as it takes. The
     * result is seen when it is whole; what a crash leaves behind goes when it would have expired.
     */
    async putResult(owner, result, pieces) {
      const id: ResultId = { owner: columnKey(owner), id: columnKey(result.id) };
      await begin(id, result);
      try {
        for (const [position, piece] of pieces.entries()) {
          await putPiece({ ...id, position, ...toText(piece) });
          await breathe();
        }
        const whole = db
          .updateTable('results')
          .set({ whole: 1 })
          .where('owner', '=', id.owner)
          .where('id', '=', id.id);
        await run(() => whole.execute());
      } catch (error) {
        // Where this fails too, the rest is never seen, and expires.
        await Promise.allSettled([remove(id)]);
        throw error;
      }
    },
    async getResult(owner, id) {
      const query = db
        .selectFrom('results')
        .select('body')
        .where('owner', '=', columnKey(owner))
        .where('id', '=', columnKey(id))
        .where('whole', '=', 1);
      const row = await run(() => query.executeTakeFirst());
      return row && (fromBody('results', row.body) as StoredResult);
    },
    async getPiece(owner, id, index) {
      if (!Number.isInteger(index) || index < 0 || index > POSITION_MAX) return undefined;
      const query = db
        .selectFrom('result_pieces as piece')
        .innerJoin('results as result', (join) =>
          join.onRef('result.owner', '=', 'piece.owner').onRef('result.id', '=', 'piece.id'),
        )
        .select(['piece.escaped', 'piece.piece'])
        .where('piece.owner', '=', columnKey(owner))
        .where('piece.id', '=', columnKey(id))
        .where('piece.position', '=', index)
        .where('result.whole', '=', 1);
      const row = await run(() => query.executeTakeFirst());
      return row && fromText('result_pieces', row);
    },
    async listResults(owner) {
      const query = db
        .selectFrom('results')
        .select('body')
        .where('owner', '=', columnKey(owner))
        .where('whole', '=', 1)
        .orderBy('created_at', 'desc')
        .orderBy('seq', 'desc');
      const rows = await run(() => query.execute());
      return rows.map((row) => fromBody('results', row.body) as StoredResult);
    },
    deleteResult(owner, id) {
      return remove({ owner: columnKey(owner), id: columnKey(id) });
    },
    async pruneResults(owner, { now, bytesMax }) {
      const expired = db
        .selectFrom('results')
        .select('id')
        .where('owner', '=', columnKey(owner))
        .where('expires_at', '<=', boundedTime(now));
      // What a result and all newer ones take together. One that is still being put is left alone.
      const summed = db
        .selectFrom('results')
        .select('id')
        .select((row) =>
          row.fn
            .sum<number>('bytes')
            .over((over) => over.orderBy('created_at', 'desc').orderBy('seq', 'desc'))
            .as('total'),
        )
        .where('owner', '=', columnKey(owner))
        .where('whole', '=', 1);
      const surplus = db
        .selectFrom(summed.as('summed'))
        .select('summed.id')
        .where('summed.total', '>', boundedCount(bytesMax, Number.MAX_SAFE_INTEGER));
      let gone = 0;
      for (const query of [expired, surplus]) {
        for (const { id } of await run(() => query.execute())) {
          // One by one: each may be large.
          if (await remove({ owner: columnKey(owner), id })) gone += 1;
          await breathe();
        }
      }
      return gone;
    },
  };

  async function begin(id: ResultId, result: StoredResult): Promise<void> {
    const row = {
      ...id,
      created_at: boundedTime(result.createdAt),
      expires_at: boundedTime(result.expiresAt),
      bytes: boundedCount(result.bytes, Number.MAX_SAFE_INTEGER),
      whole: 0,
      body: toBody(result),
    };
    await together(database, async (db) => {
      await db
        .insertInto('results')
        .values(row)
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(row))
        .execute();
      await db.deleteFrom('result_pieces').where('owner', '=', id.owner).where('id', '=', id.id).execute();
    });
  }

  async function putPiece(row: Tables['result_pieces']): Promise<void> {
    const query = db
      .insertInto('result_pieces')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner', 'id', 'position']).doUpdateSet(row));
    await run(() => query.execute());
  }

  /** The pieces go with their result: the database sees to it. */
  async function remove({ owner, id }: ResultId): Promise<boolean> {
    const query = db.deleteFrom('results').where('owner', '=', owner).where('id', '=', id);
    return (await run(() => query.executeTakeFirst())).numDeletedRows > 0n;
  }
}

type ResultId = Pick<Tables['result_pieces'], 'owner' | 'id'>;

/** Beyond it a number does not fit its column, so that nothing can be there. */
const POSITION_MAX = 2 ** 31 - 1;
