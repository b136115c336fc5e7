import type { Kysely } from 'kysely';
import type { ResultStore, StoredResult } from '../../calls/stored-result.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount, boundedTime } from '../order.ts';
import { breathe, together } from './batches.ts';
import { fromBody, fromText, toBody, toText } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlResultStore implements ResultStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  /**
   * Piece by piece, as one large transaction would hold up everybody for as long as it takes. The
   * result is seen when it is whole; what a crash leaves behind goes when it would have expired.
   */
  async putResult(owner: OwnerId, result: StoredResult, pieces: readonly string[]): Promise<void> {
    const id: ResultId = { owner: keyOf(owner), id: keyOf(result.id) };
    await this.#begin(id, result);
    try {
      for (const [position, piece] of pieces.entries()) {
        await this.#putPiece({ ...id, position, ...toText(piece) });
        await breathe();
      }
      const whole = this.#db
        .updateTable('results')
        .set({ whole: 1 })
        .where('owner', '=', id.owner)
        .where('id', '=', id.id);
      await this.#run(() => whole.execute());
    } catch (error) {
      // Where this fails too, the rest is never seen, and expires.
      await Promise.allSettled([this.#delete(id)]);
      throw error;
    }
  }

  async getResult(owner: OwnerId, id: string): Promise<StoredResult | undefined> {
    const query = this.#db
      .selectFrom('results')
      .select('body')
      .where('owner', '=', keyOf(owner))
      .where('id', '=', keyOf(id))
      .where('whole', '=', 1);
    const row = await this.#run(() => query.executeTakeFirst());
    return row && (fromBody('results', row.body) as StoredResult);
  }

  async getPiece(owner: OwnerId, id: string, index: number): Promise<string | undefined> {
    if (!Number.isInteger(index) || index < 0 || index > POSITION_MAX) return undefined;
    const query = this.#db
      .selectFrom('result_pieces as piece')
      .innerJoin('results as result', (join) =>
        join.onRef('result.owner', '=', 'piece.owner').onRef('result.id', '=', 'piece.id'),
      )
      .select(['piece.escaped', 'piece.piece'])
      .where('piece.owner', '=', keyOf(owner))
      .where('piece.id', '=', keyOf(id))
      .where('piece.position', '=', index)
      .where('result.whole', '=', 1);
    const row = await this.#run(() => query.executeTakeFirst());
    return row && fromText('result_pieces', row);
  }

  async listResults(owner: OwnerId): Promise<readonly StoredResult[]> {
    const query = this.#db
      .selectFrom('results')
      .select('body')
      .where('owner', '=', keyOf(owner))
      .where('whole', '=', 1)
      .orderBy('created_at', 'desc')
      .orderBy('seq', 'desc');
    const rows = await this.#run(() => query.execute());
    return rows.map((row) => fromBody('results', row.body) as StoredResult);
  }

  deleteResult(owner: OwnerId, id: string): Promise<boolean> {
    return this.#delete({ owner: keyOf(owner), id: keyOf(id) });
  }

  async pruneResults(
    owner: OwnerId,
    { now, bytesMax }: { readonly now: number; readonly bytesMax: number },
  ): Promise<number> {
    const expired = this.#db
      .selectFrom('results')
      .select('id')
      .where('owner', '=', keyOf(owner))
      .where('expires_at', '<=', boundedTime(now));
    // What a result and all newer ones take together. One that is still being put is left alone.
    const summed = this.#db
      .selectFrom('results')
      .select('id')
      .select((row) =>
        row.fn
          .sum<number>('bytes')
          .over((over) => over.orderBy('created_at', 'desc').orderBy('seq', 'desc'))
          .as('total'),
      )
      .where('owner', '=', keyOf(owner))
      .where('whole', '=', 1);
    const surplus = this.#db
      .selectFrom(summed.as('summed'))
      .select('summed.id')
      .where('summed.total', '>', boundedCount(bytesMax, Number.MAX_SAFE_INTEGER));
    let gone = 0;
    for (const query of [expired, surplus]) {
      for (const { id } of await this.#run(() => query.execute())) {
        // One by one: each may be large.
        if (await this.#delete({ owner: keyOf(owner), id })) gone += 1;
        await breathe();
      }
    }
    return gone;
  }

  async #begin(id: ResultId, result: StoredResult): Promise<void> {
    const row = {
      ...id,
      created_at: boundedTime(result.createdAt),
      expires_at: boundedTime(result.expiresAt),
      bytes: boundedCount(result.bytes, Number.MAX_SAFE_INTEGER),
      whole: 0,
      body: toBody(result),
    };
    await together({ db: this.#db, run: this.#run }, async (db) => {
      await db
        .insertInto('results')
        .values(row)
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(row))
        .execute();
      await db.deleteFrom('result_pieces').where('owner', '=', id.owner).where('id', '=', id.id).execute();
    });
  }

  async #putPiece(row: Tables['result_pieces']): Promise<void> {
    const query = this.#db
      .insertInto('result_pieces')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner', 'id', 'position']).doUpdateSet(row));
    await this.#run(() => query.execute());
  }

  /** The pieces go with their result: the database sees to it. */
  async #delete({ owner, id }: ResultId): Promise<boolean> {
    const query = this.#db.deleteFrom('results').where('owner', '=', owner).where('id', '=', id);
    return (await this.#run(() => query.executeTakeFirst())).numDeletedRows > 0n;
  }
}

type ResultId = Pick<Tables['result_pieces'], 'owner' | 'id'>;

/** Beyond it a number does not fit its column, so that nothing can be there. */
const POSITION_MAX = 2 ** 31 - 1;
