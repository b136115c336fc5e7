import type { Cancel } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { ModernOptions } from './modern.ts';
import { StateSeal, unknownState, type Subject } from './request-state.ts';
import type { HostWay, Rounds } from './rounds.ts';
import { RpcError, rpcCodes, type Answer } from './rpc.ts';

interface Parked {
  readonly rounds: Rounds;
  readonly principal: string;
  readonly stopWaiting: Cancel;
}

type ParkedCallsOptions = Omit<ModernOptions, 'approver' | 'tasks'>;

/** Calls waiting for their host. Each round is answered once: the work behind it can't be repeated. */
export class ParkedCalls {
  readonly #options: ParkedCallsOptions;
  readonly #parked = new Map<string, Parked>();
  readonly #seal = new StateSeal();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
  }

  resume(state: unknown, responses: unknown, of: Subject, way: HostWay): Promise<Answer> {
    const { call, round } = this.#seal.open(state, of);
    const parked = this.#parked.get(call);
    if (parked?.rounds.round !== round) throw unknownState();
    this.#forget(call);
    parked.rounds.answer(responses);
    return this.next(parked.rounds, of, way, call);
  }

  /** Of one principal, or of all. */
  end(principal?: string): void {
    for (const [id, parked] of this.#parked) {
      if (principal !== undefined && parked.principal !== principal) continue;
      this.#forget(id);
      parked.rounds.cancel();
    }
  }

  async next(rounds: Rounds, of: Subject, way: HostWay, call?: string): Promise<Answer> {
    const round = await rounds.next(way);
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
    const { principal, gone } = of;
    gone?.addEventListener('abort', giveUp, { once: true });
    const stopWaiting = (): void => {
      cancelExpiry();
      gone?.removeEventListener('abort', giveUp);
    };
    this.#parked.set(call, { rounds, principal, stopWaiting });
    if (gone?.aborted) giveUp();
    const requestState = this.#seal.seal({ call, round: rounds.round }, of);
    return { resultType: 'input_required', inputRequests, requestState };
  }

  #forget(call: string): void {
    this.#parked.get(call)?.stopWaiting();
    this.#parked.delete(call);
  }
}
