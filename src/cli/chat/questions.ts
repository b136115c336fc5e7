import type { Approval, Hub } from '../../hub/hub.ts';
import { askApproval } from '../ask-approval.ts';
import { askTogether } from '../ask-together.ts';
import { unlessAnswered } from '../call-at-terminal.ts';
import type { Session } from '../session.ts';
import { chatLimits } from './limits.ts';
import type { Screen } from './screen.ts';

export interface QuestionsOptions {
  readonly hub: Hub;
  /** Its terminal is the one of the chat. */
  readonly session: Session;
  /** The person wants the whole turn to end. */
  readonly stop: () => void;
}

/** Questions of one turn, asked one after the other, however many come at once. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #approvals: Approval[] = [];
  #screen: Screen | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** While a turn is shown, its rows step aside for a question. */
  showOn(screen: Screen | undefined): void {
    this.#screen = screen;
  }

  /** Waits for those before it. */
  ask<T>(question: () => Promise<T>): Promise<T> {
    const screen = this.#screen;
    const asked = this.#last.then(() => (screen ? screen.aside(question) : question()));
    this.#last = asked.then(
      () => undefined,
      () => undefined, // whoever asked learns of it
    );
    return asked;
  }

  /** Calls of one batch that ask at the same time are shown together. */
  async approve(approval: Approval, signal: AbortSignal): Promise<void> {
    this.#approvals.push(approval);
    const { session } = this.#options;
    await session.clock.sleep(chatLimits.gatherMs, signal);
    await this.ask(() => this.#approveNext(approval, signal));
  }

  /** Undone approvals of the same batch go with it; their own turn then finds nothing to do. */
  async #approveNext(first: Approval, signal: AbortSignal): Promise<void> {
    if (!this.#approvals.includes(first) || signal.aborted) return;
    const { hub, session, stop } = this.#options;
    const together = this.#approvals.filter(
      ({ batch, flags }) => batch === first.batch && flags === undefined,
    );
    const group = together.includes(first) ? together : [first];
    const asked =
      group.length > 1
        ? await unlessAnswered({ hub, approvals: group, session, signal }, (until) =>
            askTogether(hub, group, session, until),
          )
        : 'singly';
    if (asked === 'singly') {
      this.#done([first]);
      const one = await unlessAnswered({ hub, approvals: [first], session, signal }, (until) =>
        askApproval(hub, first, session, until),
      );
      if (one === 'stopped') stop();
      return;
    }
    this.#done(group);
    if (asked === 'stopped') stop();
  }

  #done(answered: readonly Approval[]): void {
    for (const approval of answered) this.#approvals.splice(this.#approvals.indexOf(approval), 1);
  }
}
