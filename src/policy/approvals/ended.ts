import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Answerer, ApprovalOutcome } from '../approval.ts';

interface Ending {
  readonly outcome: ApprovalOutcome['kind'];
  readonly by?: Answerer;
  /** Read-only mode ended it. */
  readonly isBarred?: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Questions that wait no more, for those who come too late. */
export class EndedApprovals {
  readonly #limits: Limits;
  readonly #kept = new Map<string, Ending>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add(id: string, outcome: ApprovalOutcome, at: number): void {
    this.#kept.set(id, {
      outcome: outcome.kind,
      at,
      ...('by' in outcome ? { by: outcome.by } : {}),
      ...('bar' in outcome ? { isBarred: true } : {}),
    });
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > this.#limits.approvalsEndedKept && !oldest.done) this.#kept.delete(oldest.value);
  }

  /** Why this id cannot be answered. */
  reason(id: string): PlugError {
    const ending = this.#kept.get(id);
    const shown = id.slice(0, 80);
    if (!ending) return gone(shown, `No approval “${shown}” waits.`);
    const when = new Date(ending.at).toISOString();
    if (ending.outcome === 'unanswered') {
      return gone(shown, `${shown} was not answered in time and ended as denied at ${when}.`);
    }
    if (ending.isBarred)
      return gone(shown, `${shown} was refused at ${when}: only reads may run since then.`);
    if (ending.outcome === 'withdrawn') return gone(shown, `The caller of ${shown} went away at ${when}.`);
    return tooLate(shown, ending, when);
  }
}

function tooLate(id: string, { outcome, by, at }: Ending, when: string): PlugError {
  const who = by ? `${WHERE[by.kind]} (${by.id.slice(0, 80)})` : 'somebody else';
  return new PlugError('already_exists', `${id} was already ${outcome} ${who} at ${when}.`, {
    owner: 'you',
    details: { approval: id, outcome, by, at },
  });
}

const WHERE: Record<Answerer['kind'], string> = {
  terminal: 'in a terminal',
  page: 'on the page',
  editor: 'in an editor',
  elicitation: 'in the host',
  library: 'by a program',
};

function gone(id: string, message: string): PlugError {
  return new PlugError('not_found', message, {
    owner: 'you',
    remedy: 'Make the call again: it asks again.',
    details: { approval: id },
  });
}
