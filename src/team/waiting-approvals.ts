import { ignore, messageOf, PlugError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Approval, ApprovalAnswer, ApprovalOutcome, Approver } from '../policy/approval.ts';
import { isAmong } from '../policy/approvals/answer-check.ts';
import { approversOf } from '../policy/decision.ts';
import type { WaitingApproval, WaitingStore } from '../policy/store.ts';
import type { Groups } from './groups.ts';
import { TEAM_OWNER } from './owners.ts';
import type { Person } from './people.ts';
import type { Spaces } from './spaces.ts';

interface WaitingApprovalsOptions {
  readonly store: WaitingStore;
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface OthersAnswer extends Pick<ApprovalAnswer, 'effect' | 'argsHash' | 'note'> {
  readonly id: string;
}

/**
 * Calls that others than who asked have to approve. They wait in the hub of their owner, on one replica;
 * the rows tell everybody which ones there are, and whose.
 */
export class WaitingApprovals {
  readonly #options: WaitingApprovalsOptions;
  /** What is being written of each, in order. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(options: WaitingApprovalsOptions) {
    this.#options = options;
  }

  /** For the hub of an owner. */
  of(owner: string): {
    readonly waits: (approval: Approval, person: string) => void;
    readonly ended: (id: string) => void;
  } {
    const { store } = this.#options;
    return {
      waits: (approval, person) =>
        this.#write(approval.id, () =>
          store.putWaiting(TEAM_OWNER, { id: approval.id, owner, person, approval }),
        ),
      ended: (id) => this.#write(id, async () => void (await store.deleteWaiting(TEAM_OWNER, id))),
    };
  }

  /** Those that this person may answer, oldest first. */
  async list(person: Person): Promise<readonly WaitingApproval[]> {
    const approver = await this.#approver(person);
    const now = this.#options.clock.now();
    const all = await this.#options.store.listWaiting(TEAM_OWNER);
    return all
      .filter((waiting) => waiting.approval.expiresAt > now && mayAnswer(waiting, approver))
      .toSorted((one, next) => one.approval.createdAt - next.approval.createdAt);
  }

  /** In whose hub it waits. */
  async ownerOf(id: string): Promise<string | undefined> {
    return (await this.#options.store.getWaiting(TEAM_OWNER, id))?.owner;
  }

  /** The first answer decides. Here is where the hub of its owner is. */
  async answer(
    person: Person,
    { id, ...answer }: OthersAnswer,
    spaces: Pick<Spaces, 'approve'>,
  ): Promise<ApprovalOutcome['kind']> {
    const waiting = await this.#options.store.getWaiting(TEAM_OWNER, id);
    if (waiting?.person === person.id) throw ownCall(waiting);
    const approver = await this.#approver(person);
    if (!waiting || !mayAnswer(waiting, approver)) throw noneWaits();
    const outcome = await spaces.approve(waiting.owner, id, answer, {
      kind: 'page',
      id: person.id,
      approver,
    });
    if (outcome) return outcome.kind;
    // The process in which it waited has ended, and its caller was told.
    await this.#options.store.deleteWaiting(TEAM_OWNER, id);
    throw noneWaits();
  }

  async #approver({ id, email, role }: Person): Promise<Approver> {
    const isAdmin = role === 'owner' || role === 'admin';
    return { id, email, isAdmin, groups: await this.#options.groups.namesOf(id) };
  }

  #write(id: string, work: () => Promise<void>): void {
    const { logger } = this.#options;
    const before = this.#writes.get(id) ?? Promise.resolve();
    const written = before
      .then(work)
      .catch((error: unknown) =>
        logger.warn('approvers are not told of a call', { id, error: messageOf(error) }),
      )
      .finally(() => {
        if (this.#writes.get(id) === written) this.#writes.delete(id);
      });
    this.#writes.set(id, written);
    ignore(written, 'it is logged, and the call waits no longer than any');
  }
}

function mayAnswer({ person, approval }: WaitingApproval, approver: Approver): boolean {
  const approvers = approversOf(approval.decision);
  return approvers !== undefined && person !== approver.id && isAmong(approvers, approver);
}

function ownCall({ approval: { server, tool, decision } }: WaitingApproval): PlugError {
  const message = `You asked for ${server}/${tool} yourself, so you can’t approve it. ${decision.reason}`;
  return new PlugError('denied', message, { owner: 'you', server });
}

function noneWaits(): PlugError {
  return new PlugError('not_found', 'No call like this waits for your approval.', { owner: 'you' });
}
