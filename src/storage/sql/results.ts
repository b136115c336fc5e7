import type { ResultStore, StoredResult } from '../../calls/stored-result.ts';
import { boundedCount, boundedTime, columnKey, fromBody, keys, toBody } from './rows.ts';
import { breathe, deleted, type Database, together } from './run.ts';
import type { Tables } from './schema.ts';

export function sqlResultStore(database: Database): ResultStore {
  const { db, run } = database;
  return {
    /** One large transaction would block others. A result shows when whole; a half one expires. */
    async putResult(owner, result, pieces) {
      const id = { owner, id: result.id };
      const row = { owner: columnKey(owner), id: columnKey(result.id) };
      await begin(row, result);
      try {
        for (const [position, piece] of pieces.entries()) {
          await putPiece({ ...row, position, ...toPiece(piece) });
          await breathe();
        }
        const whole = db.updateTable('results').set({ whole: 1 }).where(keys(id));
        await run(() => whole.execute());
      } catch (error) {
        // If this fails too, the rest is never seen, and expires.
        await Promise.allSettled([remove(id)]);
        throw error;
      }
    },
    async getResult(owner, id) {
      const query = db.selectFrom('results').select('body').where(keys({ owner, id })).where('whole', '=', 1);
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
      return row && fromPiece(row);
    },
    async listResults(owner) {
      const query = db
        .selectFrom('results')
        .select('body')
        .where(keys({ owner }))
        .where('whole', '=', 1)
        .orderBy('created_at', 'desc')
        .orderBy('seq', 'desc');
      const rows = await run(() => query.execute());
      return rows.map((row) => fromBody('results', row.body) as StoredResult);
    },
    deleteResult: (owner, id) => remove({ owner, id }),
    async pruneResults(owner, { now, bytesMax }) {
      const ofOwner = db.selectFrom('results').select('seq').where(keys({ owner }));
      const expired = ofOwner.where('expires_at', '<=', boundedTime(now));
      // The bytes of a result and all newer ones. A result that is still being put is left alone.
      const summed = ofOwner
        .select((row) =>
          row.fn
            .sum<number>('bytes')
            .over((over) => over.orderBy('created_at', 'desc').orderBy('seq', 'desc'))
            .as('total'),
        )
        .where('whole', '=', 1)
        .as('summed');
      const surplus = db.selectFrom(summed).select('seq').where('total', '>', boundedCount(bytesMax));
      let gone = 0;
      for (const query of [expired, surplus]) {
        for (const { seq } of await run(() => query.execute())) {
          // One by one: each may be large.
          gone += await deleted(run, db.deleteFrom('results').where('seq', '=', seq));
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
      bytes: boundedCount(result.bytes),
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

  /** The database deletes the pieces along with their result. */
  async function remove(id: { readonly owner: string; readonly id: string }): Promise<boolean> {
    return (await deleted(run, db.deleteFrom('results').where(keys(id)))) > 0;
  }
}

type ResultId = Pick<Tables['result_pieces'], 'owner' | 'id'>;

/** A larger number does not fit its column. */
const POSITION_MAX = 2 ** 31 - 1;

type Piece = Pick<Tables['result_pieces'], 'escaped' | 'piece'>;

/** As it is where the column can hold it, else as a JSON string: large texts are not copied for nothing. */
function toPiece(text: string): Piece {
  const fits = text.isWellFormed() && !text.includes('\0');
  return fits ? { escaped: 0, piece: text } : { escaped: 1, piece: JSON.stringify(text) };
}

function fromPiece({ escaped, piece }: Piece): string {
  return escaped === 0 ? piece : (fromBody('result_pieces', piece) as string); // toPiece() wrote a string
}
