import { defined } from '../../base/defined.ts';
import type { Cancel } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { isBarred, type ReadOnlyBar } from '../../servers/read-only.ts';
import type { Answerer, Approval, ApprovalAnswer, ApprovalOutcome } from '../approval.ts';
import { approversOf } from '../decision.ts';
import { vouchFor } from '../answered.ts';
import { hashArguments } from '../args-hash.ts';
import { checkAnswer, checkAnswerer, checkParts, EndedApprovals, unmaskEdited } from './answer-check.ts';
import { type ApprovalRequest, cardOf, type CardOptions, LastApproved, Room, withoutDisk } from './card.ts';

export interface ApprovalsOptions extends CardOptions {
  readonly ids: Ids;
  /** The card shows the server's id in its folder; `server` is its unique key. */
  readonly onRequest?: (approval: Approval, server: string, principal: string) => void;
  readonly onAnswer?: (approval: Approval, outcome: ApprovalOutcome, server: string) => void;
}

export type BatchAnswer = Omit<ApprovalAnswer, 'argsHash' | 'args'> & {
  /** Those the person saw: later ones are left out. */
  readonly ids?: readonly string[];
};

interface Waiting {
  readonly approval: Approval;
  readonly request: ApprovalRequest;
  readonly end: (outcome: ApprovalOutcome) => void;
}

/** The one queue of approvals; the first answer from any face decides. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #room: Room;
  readonly #batches: Batches;
  readonly #last: LastApproved;
  readonly #ended: EndedApprovals;
  #closed = false;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#room = new Room(options.limits);
    this.#batches = new Batches(options);
    this.#last = new LastApproved(options.limits);
    this.#ended = new EndedApprovals(options.limits);
  }

  async request(request: ApprovalRequest): Promise<ApprovalOutcome> {
    if (this.#closed) throw closing(request);
    if (request.signal?.aborted) return { kind: 'withdrawn' };
    const leave = this.#room.enter(request);
    try {
      const batch = this.#batches.idFor(request.requester.id, request.batch);
      const id = this.#options.ids.next('appr');
      const card = cardOf(request, { id, batch }, this.#last, this.#options);
      // Synchronous when no file has to be read.
      const approval = card instanceof Promise ? await card : card;
      if (this.#closed || request.signal?.aborted) return { kind: 'withdrawn' };
      return await this.#wait(request, approval);
    } finally {
      leave();
    }
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  list(): readonly Approval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  get(id: string): Approval {
    return this.#find(id).approval;
  }

  /** Returns the outcome with secrets masked; only the caller gets the real arguments. */
  async answer(id: string, answer: ApprovalAnswer, by: Answerer): Promise<ApprovalOutcome> {
    const waiting = this.#find(id);
    checkAnswer(waiting.approval, answer, asOther(waiting, by), this.#options.limits);
    const args = answer.args === undefined ? undefined : await this.#edited(waiting, answer.args);
    // Checking an edit takes time; another answer may have come first.
    if (this.#waiting.get(id) !== waiting) throw this.#ended.reason(id);
    return this.#settle(waiting, answer, by, args ?? waiting.request.args);
  }

  /** Destructive, flagged or data-rule calls are allowed only one by one; a denial covers all. */
  answerBatch(batch: string, answer: BatchAnswer, by: Answerer): readonly ApprovalOutcome[] {
    const { ids, ...rest } = answer;
    const all = [...this.#waiting.values()].filter(({ approval }) => approval.batch === batch);
    // Others than who asked look at each by itself.
    const seen = all.filter(
      ({ approval: { id, decision } }) => !approversOf(decision) && (!ids || ids.includes(id)),
    );
    if (seen.length === 0) throw noBatch(batch);
    const meant = seen.filter(({ approval }) => rest.effect === 'deny' || !needsOwnLook(approval));
    if (meant.length === 0) throw onlyOneByOne(seen.map(({ approval }) => approval));
    for (const { approval } of meant) {
      checkAnswerer(approval, by);
      checkParts(approval, rest, this.#options.limits);
    }
    return meant.map((waiting) =>
      this.#settle(waiting, { ...rest, argsHash: waiting.approval.argsHash }, by, waiting.request.args),
    );
  }

  /** Read-only mode began: refuses waiting writes. */
  bar(bar: ReadOnlyBar): void {
    for (const { request, end } of this.#waiting.values()) {
      const meant = bar.by === 'switch' || (bar.by === 'profile' && request.profile === bar.name);
      if (meant && isBarred(bar, request)) end({ kind: 'withdrawn', bar });
    }
  }

  close(): void {
    this.#closed = true;
    for (const { end } of this.#waiting.values()) end({ kind: 'withdrawn' });
    this.#last.clear();
  }

  #find(id: string): Waiting {
    const waiting = this.#waiting.get(id);
    if (!waiting) throw this.#ended.reason(id);
    return waiting;
  }

  #wait(request: ApprovalRequest, approval: Approval): Promise<ApprovalOutcome> {
    const { clock, limits, onRequest, onAnswer } = this.#options;
    return new Promise((resolve) => {
      let cancelTimer: Cancel = () => undefined;
      const withdraw = (): void => end({ kind: 'withdrawn' });
      const end = (outcome: ApprovalOutcome): void => {
        if (!this.#waiting.delete(approval.id)) return;
        cancelTimer();
        request.signal?.removeEventListener('abort', withdraw);
        this.#batches.close(approval.batch);
        this.#ended.add(approval.id, outcome, clock.now());
        resolve(outcome);
        onAnswer?.(approval, outcome, request.server.key);
      };
      this.#waiting.set(approval.id, { approval, request, end });
      cancelTimer = clock.after(limits.approvalMs, () => end({ kind: 'unanswered' }));
      request.signal?.addEventListener('abort', withdraw, { once: true });
      onRequest?.(approval, request.server.key, request.principal);
      request.onWaiting?.(request.requester.kind === 'person' ? approval : withoutDisk(approval));
    });
  }

  /** Throws what's wrong and leaves the approval waiting. */
  async #edited({ approval, request }: Waiting, edited: JsonObject): Promise<JsonObject> {
    const args = unmaskEdited(edited, { args: request.args, masked: approval.args });
    this.#room.checkSize(request, args);
    await request.check?.(args);
    return args;
  }

  #settle(waiting: Waiting, answer: ApprovalAnswer, by: Answerer, args: JsonObject): ApprovalOutcome {
    const { approval, request, end } = waiting;
    const { effect, note, remember, pattern } = answer;
    if (effect === 'deny') {
      const denied: ApprovalOutcome = { kind: 'denied', by, ...defined({ note }) };
      end(denied);
      return denied;
    }
    const masked = this.#options.mask(args, approval.server);
    const allowed = vouchFor(
      {
        kind: 'allowed',
        by,
        args,
        edited: args !== request.args && hashArguments(args) !== approval.argsHash,
        ...defined({ remember, pattern }),
      },
      request.account?.id,
    );
    this.#last.remember(request.server.key, request.tool, { args, masked });
    end(allowed);
    return { ...allowed, args: masked };
  }
}

/** The requester can't approve their own call. */
function asOther({ request }: Waiting, { kind, id, approver }: Answerer): Answerer {
  return approver && approver.id !== request.principal ? { kind, id, approver } : { kind, id };
}

function needsOwnLook({ risk, flags, decision }: Approval): boolean {
  return risk === 'destructive' || flags !== undefined || OWN_LOOK.has(decision.by.kind);
}

const OWN_LOOK: ReadonlySet<string> = new Set(['flag', 'data_rule', 'quarantine', 'undecidable']);

function closing({ server }: ApprovalRequest): PlugError {
  const message = 'The hub is stopping.';
  const remedy = 'Call it again when the hub is running.';
  return new PlugError('unavailable', message, { owner: 'plugboard', server: server.id, remedy });
}

function noBatch(batch: string): PlugError {
  return new PlugError('not_found', `Nothing waits in batch “${batch.slice(0, 80)}”.`, {
    owner: 'you',
    remedy: 'Call them again to be asked again.',
  });
}

function onlyOneByOne(approvals: readonly Approval[]): PlugError {
  return new PlugError(
    'usage',
    'Approve destructive and flagged calls, and calls stopped by a rule, one by one.',
    {
      owner: 'you',
      remedy: { do: 'approve', id: approvals[0]?.id ?? '' },
      details: { approvals: approvals.map(({ id }) => id) },
    },
  );
}

/** Calls of one requester within a moment, or one named batch. An answered batch takes no more calls. */
class Batches {
  readonly #options: ApprovalsOptions;
  readonly #open = new Map<string, { readonly id: string; readonly openedAt: number }>();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  idFor(requester: string, named: string | undefined): string {
    const { clock, ids, limits } = this.#options;
    const now = clock.monotonic();
    for (const [key, { openedAt }] of this.#open) {
      if (now - openedAt > limits.approvalBatchMs) this.#open.delete(key);
    }
    const key = JSON.stringify([requester, named ?? null]);
    const open = this.#open.get(key) ?? { id: ids.next('batch'), openedAt: now };
    this.#open.set(key, open);
    return open.id;
  }

  close(id: string): void {
    for (const [key, open] of this.#open) if (open.id === id) this.#open.delete(key);
  }
}
