import type { Cancel } from '../base/clock.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { ModernOptions } from './modern.ts';
import { StateSeal, unknownState, type Subject } from './request-state.ts';
import type { HostWay, Round, Rounds } from './rounds.ts';
import type { Answer } from './rpc.ts';

type Asks = Extract<Round, { kind: 'asks' }>;

interface Parked {
  readonly rounds: Rounds;
  readonly principal: string;
  readonly stopWaiting: Cancel;
}

type ParkedCallsOptions = Omit<ModernOptions, 'approver' | 'tasks'>;

/** Makes a call anew, with what the host answered. */
export type AskAgain = (inputs: JsonObject) => Promise<Answer>;

/** Calls waiting for their host. Each round is answered once, unless its server would take the answers again. */
export class ParkedCalls {
  readonly #options: ParkedCallsOptions;
  readonly #parked = new Map<string, Parked>();
  readonly #seal: StateSeal;

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
    this.#seal = new StateSeal(options.stateKey);
  }

  get isEmpty(): boolean {
    return this.#parked.size === 0;
  }

  /** Throws for a state that opens nothing. Without `again`, rounds are answered once. */
  resume(state: unknown, responses: unknown, of: Subject, way: HostWay, again?: AskAgain): Promise<Answer> {
    if (state === undefined && again) return again(inputsOf(responses));
    const { call, round, server } = this.#seal.open(state, of);
    const parked = this.#parked.get(call);
    if (parked?.rounds.round !== round) {
      if (!server || !again) throw unknownState();
      return again(inputsOf(responses, server.state));
    }
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
    return this.#park(rounds, of, round, call);
  }

  #park(rounds: Rounds, of: Subject, { inputRequests, server }: Asks, known: string | undefined): JsonObject {
    const { clock, ids, limits } = this.#options;
    this.#makeRoom(of.principal);
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
    const state = { call, round: rounds.round, ...(server ? { server } : {}) };
    const requestState = this.#seal.seal(state, of);
    return { resultType: 'input_required', inputRequests, requestState };
  }

  /** The oldest of many is one that its host does not come back for; those of others stay. */
  #makeRoom(principal: string): void {
    const { parkedCallsMax } = this.#options.limits;
    if (this.#parked.size < parkedCallsMax) return;
    const own = [...this.#parked].filter(([, each]) => each.principal === principal);
    const [oldest] = own;
    if (!oldest || own.length < parkedCallsMax) return;
    this.#forget(oldest[0]);
    oldest[1].rounds.cancel();
  }

  #forget(call: string): void {
    this.#parked.get(call)?.stopWaiting();
    this.#parked.delete(call);
  }
}

/** Our own question is answered here or nowhere. */
function inputsOf(responses: unknown, requestState?: Json): JsonObject {
  const { approval: _, ...inputResponses } = isObject(responses) ? (responses as JsonObject) : {}; // parsed from JSON
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}
