import { secretBytes } from '../base/ids.ts';
import type { Cancel } from '../base/clock.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Exchange } from './gateway.ts';
import type { ModernOptions } from './modern.ts';
import type { Rounds } from './rounds.ts';
import { RpcError, rpcCodes, type Answer } from './rpc.ts';
import { createCipheriv, createDecipheriv } from 'node:crypto';

interface Parked {
  readonly rounds: Rounds;
  readonly principal: string;
  /** Method and name, which a retry must repeat. */
  readonly subject: string;
  readonly stopWaiting: Cancel;
}

type ParkedCallsOptions = Omit<ModernOptions, 'approver'>;

/** Calls waiting for their host, behind a state that only this hub can open. */
export class ParkedCalls {
  readonly #options: ParkedCallsOptions;
  readonly #parked = new Map<string, Parked>();
  readonly #seal = new StateSeal();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
  }

  resume(state: unknown, responses: unknown, of: Subject, exchange: Exchange): Promise<Answer> {
    const opened = typeof state === 'string' ? this.#seal.open(state) : undefined;
    const parked = opened && this.#parked.get(opened.call);
    const fits =
      parked?.principal === of.principal &&
      opened?.principal === of.principal &&
      parked.subject === of.subject &&
      parked.rounds.round === opened.round;
    if (!opened || !parked || !fits) throw unknownState();
    this.#forget(opened.call);
    parked.rounds.answer(responses);
    return this.next(parked.rounds, of, exchange, opened.call);
  }

  /** Of one principal, or of all. */
  end(principal?: string): void {
    for (const [id, parked] of this.#parked) {
      if (principal !== undefined && parked.principal !== principal) continue;
      this.#forget(id);
      parked.rounds.cancel();
    }
  }

  async next(rounds: Rounds, of: Subject, exchange: Exchange, call?: string): Promise<Answer> {
    const round = await rounds.next(exchange);
    if (round.kind === 'done') return round.answer;
    return this.#park(rounds, of, round.inputRequests, call);
  }

  #park(rounds: Rounds, of: Subject, inputRequests: JsonObject, known: string | undefined): JsonObject {
    const { clock, ids, limits } = this.#options;
    if (this.#parked.size >= limits.parkedCallsMax) {
      rounds.cancel();
      throw new RpcError(rpcCodes.internalError, 'Too many calls wait for answers of their hosts.');
    }
    const call = known ?? ids.next('parked');
    const giveUp = (): void => {
      this.#forget(call);
      rounds.cancel();
    };
    const cancelExpiry = clock.after(limits.parkedMs, giveUp);
    const { principal, subject, gone } = of;
    gone?.addEventListener('abort', giveUp, { once: true });
    const stopWaiting = (): void => {
      cancelExpiry();
      gone?.removeEventListener('abort', giveUp);
    };
    this.#parked.set(call, { rounds, principal, subject, stopWaiting });
    if (gone?.aborted) giveUp();
    const expiresAt = clock.now() + limits.parkedMs;
    const requestState = this.#seal.seal({ call, round: rounds.round, principal, expiresAt });
    return { resultType: 'input_required', inputRequests, requestState };
  }

  #forget(call: string): void {
    this.#parked.get(call)?.stopWaiting();
    this.#parked.delete(call);
  }
}

export interface Subject {
  readonly principal: string;
  readonly subject: string;
  /** Aborts when the host is known to have gone. */
  readonly gone?: AbortSignal | undefined;
}

export function subjectOf(method: string, params: JsonObject): string {
  return `${method} ${JSON.stringify(params['name'] ?? params['uri'] ?? null)}`;
}

export function isRetry(params: JsonObject): boolean {
  return params['requestState'] !== undefined || isObject(params['inputResponses']);
}

function unknownState(): RpcError {
  return new RpcError(
    rpcCodes.invalidParams,
    'This requestState is not one that waits here: it was changed, used before, or its call was given up. Make the call again.',
  );
}

export interface ParkedState {
  readonly call: string;
  readonly round: number;
  readonly principal: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Hosts can neither read nor change it; states from before a restart don't open. */
class StateSeal {
  readonly #key = secretBytes(32);

  seal(state: ParkedState): string {
    const iv = secretBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const body = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  open(text: string): ParkedState | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // A different encoding of the same bytes isn't ours.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      const state: unknown = JSON.parse(body.toString('utf8'));
      return isObject(state) ? (state as unknown as ParkedState) : undefined; // sealed here
    } catch {
      return undefined; // it was changed on its way, or sealed by somebody else
    }
  }
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
