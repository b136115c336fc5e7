import type { ResultStore, StoredResult } from '../../calls/stored-result.ts';
import type { OwnerId } from '../../servers/store.ts';
import type { OwnRows } from './own-rows.ts';
import { boundedCount, boundedTime, columnKey, fromBody, keys, toBody } from './rows.ts';
import { breathe, deleted, type Database } from './run.ts';
import type { Tables } from './schema.ts';

export function sqlResultStore(database: Database): ResultStore {
  return {
    /** One large transaction would block others. A result shows when whole; a half one expires. */
    async putResult(owner, result, pieces) {
      const { id } = result;
      await begin(owner, result);
      try {
        for (const [position, piece] of pieces.entries()) {
          await putPiece(owner, { id: columnKey(id), position, ...toPiece(piece) });
          await breathe();
        }
        await database.own(owner, (rows) =>
          rows.update('results').set({ whole: 1 }).where(keys({ id })).execute(),
        );
      } catch (error) {
        // If this fails too, the rest is never seen, and expires.
        await Promise.allSettled([remove(owner, id)]);
        throw error;
      }
    },
    async getResult(owner, id) {
      const row = await database.own(owner, (rows) =>
        rows.select('results').select('body').where(keys({ id })).where('whole', '=', 1).executeTakeFirst(),
      );
      return row && (fromBody('results', row.body) as StoredResult);
    },
    async getPiece(owner, id, index) {
      if (!Number.isInteger(index) || index < 0 || index > POSITION_MAX) return undefined;
      const row = await database.own(owner, (rows) => {
        const whole = rows.select('results').select('seq').where(keys({ id })).where('whole', '=', 1);
        return rows
          .select('result_pieces')
          .select(['escaped', 'piece'])
          .where(keys({ id }))
          .where('position', '=', index)
          .where((piece) => piece.exists(whole))
          .executeTakeFirst();
      });
      return row && fromPiece(row);
    },
    async listResults(owner) {
      const stored = await database.own(owner, (rows) =>
        rows
          .select('results')
          .select('body')
          .where('whole', '=', 1)
          .orderBy('created_at', 'desc')
          .orderBy('seq', 'desc')
          .execute(),
      );
      return stored.map((row) => fromBody('results', row.body) as StoredResult);
    },
    deleteResult: remove,
    async pruneResults(owner, { now, bytesMax }) {
      const expired = (rows: OwnRows) =>
        rows.select('results').select('seq').where('expires_at', '<=', boundedTime(now)).execute();
      // The bytes of a result and all newer ones. A result that is still being put is left alone.
      const surplus = async (rows: OwnRows) => {
        const summed = await rows
          .select('results')
          .select('seq')
          .select((row) =>
            row.fn
              .sum<number | string>('bytes')
              .over((over) => over.orderBy('created_at', 'desc').orderBy('seq', 'desc'))
              .as('total'),
          )
          .where('whole', '=', 1)
          .execute();
        return summed.filter(({ total }) => Number(total) > boundedCount(bytesMax));
      };
      let gone = 0;
      for (const found of [expired, surplus]) {
        for (const { seq } of await database.own(owner, found)) {
          // One by one: each may be large.
          gone += await database.own(owner, (rows) => deleted(rows.delete('results').where('seq', '=', seq)));
          await breathe();
        }
      }
      return gone;
    },
  };

  async function begin(owner: OwnerId, result: StoredResult): Promise<void> {
    const row = {
      id: columnKey(result.id),
      created_at: boundedTime(result.createdAt),
      expires_at: boundedTime(result.expiresAt),
      bytes: boundedCount(result.bytes),
      whole: 0,
      body: toBody(result),
    };
    await database.together(owner, async (rows) => {
      await rows
        .insert('results', row)
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(row))
        .execute();
      await rows
        .delete('result_pieces')
        .where(keys({ id: result.id }))
        .execute();
    });
  }

  async function putPiece(owner: OwnerId, row: Omit<Tables['result_pieces'], 'owner'>): Promise<void> {
    await database.own(owner, (rows) =>
      rows
        .insert('result_pieces', row)
        .onConflict((conflict) => conflict.columns(['owner', 'id', 'position']).doUpdateSet(row))
        .execute(),
    );
  }

  /** The database deletes the pieces along with their result. */
  async function remove(owner: OwnerId, id: string): Promise<boolean> {
    return (await database.own(owner, (rows) => deleted(rows.delete('results').where(keys({ id }))))) > 0;
  }
}

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
