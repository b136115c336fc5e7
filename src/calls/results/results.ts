import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Limits } from '../../base/limits.ts';
import type { ResultHandle } from '../tool-call.ts';
import type { Logger } from '../../base/logger.ts';
import type { OwnerId } from '../../servers/store.ts';
import type { ResultStore, StoredResult } from '../stored-result.ts';
import type { GrepFound } from './grep.ts';
import type { PathFound } from './json-path.ts';
import { PieceWriter, pageCount } from './cut.ts';
import { previewOf } from './preview.ts';
import { readInThread, type ReadAnswer, type ReadRequest } from './read.ts';
import { renderParts, jsonParts } from './render.ts';
import { weigh } from './weigh.ts';
import { withStructured } from './structured.ts';

export interface ResultsOptions {
  readonly store: ResultStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  /** Also applies to stored results; default `resultKeepMs`. */
  readonly keepMs?: () => number;
}

export interface ResultToKeep {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly result: JsonObject;
  readonly whole: boolean;
  /** A program reads structured content, and perhaps checks it against the declared schema. */
  readonly structured?: 'undeclared' | 'declared' | undefined;
}

export interface KeptResult {
  readonly result: JsonObject;
  readonly handle?: ResultHandle;
}

export class Results {
  readonly #options: ResultsOptions;
  /** One at a time: each may need several times its size in memory. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  /** The whole is stored before the preview is answered. */
  keep(kept: ResultToKeep): KeptResult | Promise<KeptResult> {
    const { resultPreviewBytes, resultMediaBytesMax } = this.#options.limits;
    if (kept.whole) return { result: kept.result };
    const { textBytes, mediaBytes } = weigh(kept.result, resultPreviewBytes);
    if (textBytes <= resultPreviewBytes && mediaBytes <= resultMediaBytesMax) return { result: kept.result };
    return this.#store(kept);
  }

  async page(id: string, page: number): Promise<{ pages: number; text: string; bytes: number }> {
    const { stored, answer } = await this.#read(id, { kind: 'page', page });
    return { pages: answer.pages, text: answer.text, bytes: stored.bytes };
  }

  async grep(id: string, pattern: string): Promise<GrepFound> {
    const { kind: _, ...found } = (await this.#read(id, { kind: 'grep', pattern })).answer;
    return found;
  }

  async path(id: string, path: string): Promise<PathFound> {
    const { answer } = await this.#read(id, { kind: 'path', path });
    return parseJson(answer.json) as PathFound; // as the thread wrote it
  }

  async list(): Promise<readonly StoredResult[]> {
    const { store, owner, clock } = this.#options;
    const now = clock.now();
    return (await store.listResults(owner)).filter((each) => this.#endOf(each) > now);
  }

  async remove(id: string): Promise<void> {
    const { store, owner } = this.#options;
    if (!(await store.deleteResult(owner, id))) throw this.#unknown(id);
  }

  /** On start; later, each stored result makes room for itself. */
  async prune(): Promise<number> {
    const { store, owner, clock, limits } = this.#options;
    const now = clock.now();
    let gone = 0;
    for (const each of await store.listResults(owner)) {
      if (this.#endOf(each) <= now && (await store.deleteResult(owner, each.id))) gone += 1;
    }
    return gone + (await store.pruneResults(owner, { now, bytesMax: limits.resultsBytesMax }));
  }

  /** A shortened retention also applies to results stored before. */
  #endOf({ createdAt, expiresAt }: StoredResult): number {
    return Math.min(expiresAt, createdAt + this.#keepMs());
  }

  #keepMs(): number {
    const { keepMs, limits } = this.#options;
    return keepMs ? keepMs() : limits.resultKeepMs;
  }

  async #store({ callId, server, tool, result, structured }: ResultToKeep): Promise<KeptResult> {
    const { store, owner, clock, ids, limits, logger } = this.#options;
    const breathe = (): Promise<void> => clock.sleep(0);
    const writer = new PieceWriter(limits.resultPieceChars);
    for (const part of jsonParts(result)) if (writer.add(part)) await breathe();
    const { pieces, bytes } = writer.end();
    const chars = await countChars(result, limits.resultPieceChars, breathe);
    const id = ids.next('result');
    const createdAt = clock.now();
    const expiresAt = createdAt + this.#keepMs();
    const stored = { id, server, tool, callId, createdAt, expiresAt, bytes, pieces: pieces.length };
    await store.putResult(owner, stored, pieces);
    await this.prune().catch((error: unknown) =>
      logger.warn('old results could not be removed', { error: messageOf(error) }),
    );
    const handle = { id, bytes, pages: pageCount(chars, limits.resultPageChars) };
    const preview = previewOf(result, handle, limits);
    if (structured === undefined) return { result: preview, handle };
    return {
      result: withStructured(preview, result, { limits, isDeclared: structured === 'declared' }),
      handle,
    };
  }

  async #read<K extends ReadRequest['kind']>(
    id: string,
    request: ReadRequest & { readonly kind: K },
  ): Promise<{ stored: StoredResult; answer: Extract<ReadAnswer, { kind: K }> }> {
    const { store, owner, clock, limits } = this.#options;
    const stored = await store.getResult(owner, id);
    if (!stored || this.#endOf(stored) <= clock.now()) throw this.#unknown(id);
    const before = this.#reading;
    const reading = (async () => {
      await Promise.allSettled([before]); // whoever asked before hears of their own failure
      return readInThread({ pieces: await this.#pieces(stored), request, limits }, clock);
    })();
    this.#reading = reading;
    // The thread answers in kind.
    return { stored, answer: (await reading) as Extract<ReadAnswer, { kind: K }> };
  }

  async #pieces(stored: StoredResult): Promise<readonly string[]> {
    const { store, owner } = this.#options;
    const pieces: string[] = [];
    for (let index = 0; index < stored.pieces; index += 1) {
      const piece = await store.getPiece(owner, stored.id, index);
      if (piece === undefined) throw this.#unknown(stored.id); // removed while it was read
      pieces.push(piece);
    }
    return pieces;
  }

  #unknown(id: string): PlugError {
    const days = Math.round(this.#options.limits.resultKeepMs / (24 * 60 * 60_000));
    const why = `Results are kept for ${days} days, fewer when there is no room, and only for the caller.`;
    return new PlugError('not_found', `There is no result “${id.slice(0, 80)}”. ${why}`, {
      owner: 'you',
      remedy: 'Make the call again.',
    });
  }
}

async function countChars(result: JsonObject, stride: number, breathe: () => Promise<void>): Promise<number> {
  let chars = 0;
  let rested = 0;
  for (const part of renderParts(result)) {
    chars += part.length;
    // Text costs nothing to render, but counts.
    if (chars - rested < stride) continue;
    rested = chars;
    await breathe();
  }
  return chars;
}
