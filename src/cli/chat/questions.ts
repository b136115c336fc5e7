import { ignore } from '../../base/errors.ts';
import type { Approval, Hub } from '../../hub/hub.ts';
import { askApproval, unlessAnswered } from '../ask-approval.ts';
import { faint, strong } from '../output.ts';
import { renderApproval } from '../render/approval.ts';
import type { HubSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { stoppedBy } from './keyboard.ts';
import { chatLimits } from './limits.ts';
import type { Screen } from './screen.ts';

export class Questions {
  readonly #session: HubSession;
  readonly #stop: () => void;
  readonly #approvals: Approval[] = [];
  #screen: Screen | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: HubSession, stop: () => void) {
    this.#session = session;
    this.#stop = stop;
  }

  showOn(screen: Screen | undefined): void {
    this.#screen = screen;
  }

  ask<T>(question: () => Promise<T>): Promise<T> {
    const screen = this.#screen;
    const asked = this.#last.then(() => (screen ? screen.aside(question) : question()));
    this.#last = asked.then(
      () => undefined,
      () => undefined, // the caller learns of it
    );
    return asked;
  }

  /** When all questions asked until now are answered or gone. */
  settled(): Promise<unknown> {
    return this.#last;
  }

  async approve(approval: Approval, signal: AbortSignal): Promise<void> {
    this.#approvals.push(approval);
    await this.#session.clock.sleep(chatLimits.gatherMs, signal);
    await this.ask(() => this.#approveNext(approval, signal));
  }

  /** Undone approvals of the same batch go with it; their own turn then finds nothing to do. */
  async #approveNext(first: Approval, signal: AbortSignal): Promise<void> {
    if (!this.#approvals.includes(first) || signal.aborted) return;
    const session = this.#session;
    const together = this.#approvals.filter(
      ({ batch, flags }) => batch === first.batch && flags === undefined,
    );
    const group = together.includes(first) ? together : [first];
    const asked =
      group.length > 1
        ? await unlessAnswered({ approvals: group, session, signal }, (until) =>
            askTogether(group, session, until),
          )
        : 'singly';
    if (asked === 'singly') {
      this.#done([first]);
      const one = await unlessAnswered({ approvals: [first], session, signal }, (until) =>
        askApproval(first, session, until),
      );
      if (one === 'stopped') this.#stop();
      return;
    }
    this.#done(group);
    if (asked === 'stopped') this.#stop();
  }

  #done(answered: readonly Approval[]): void {
    for (const approval of answered) this.#approvals.splice(this.#approvals.indexOf(approval), 1);
  }
}

/** Answers exactly the calls shown, each by its own arguments; one that joins later asks for itself. */
async function askTogether(approvals: readonly Approval[], session: HubSession, signal: AbortSignal) {
  const { hub, out, terminal, clock } = session;
  for (const approval of approvals) renderApproval(approval, out);
  const count = approvals.length;
  out.note(strong('  y '), `yes, all ${count}, once`);
  out.note(strong('  o '), 'one by one, with all choices');
  out.note(strong('  n '), `no, none of the ${count}`);
  out.note(faint('  Esc stops the turn.'));
  for (;;) {
    const key = await terminal.askKey(`Allow all ${count}? [y/o/N] `, { clock, signal });
    if (key === 'escape' || key === 'interrupt') return 'stopped';
    if (key === 'o') return 'singly';
    if (key === 'y') return await answerAll(hub, approvals, { effect: 'allow' });
    if (key !== 'n' && key !== 'enter') continue;
    const note = await askReason(terminal, signal);
    if (note === 'escape') continue;
    if (note === 'interrupt') return 'stopped';
    return await answerAll(hub, approvals, { effect: 'deny', ...note });
  }
}

/** Esc returns to the card, Ctrl-C stops. */
async function askReason(terminal: Terminal, signal: AbortSignal) {
  try {
    const note = (await terminal.ask('Why not? The note is sent to the model: ', signal)).trim();
    return note === '' ? {} : { note };
  } catch (error) {
    const key = stoppedBy(error);
    if (key === undefined) throw error;
    return key;
  }
}

async function answerAll(
  hub: Hub,
  approvals: readonly Approval[],
  answer: { readonly effect: 'allow' | 'deny'; readonly note?: string },
): Promise<'answered'> {
  const answers = approvals.map(({ id, argsHash }) => hub.approvals.answer({ id, ...answer, argsHash }));
  for (const each of answers) ignore(each, 'somebody else was faster, or it is no longer wanted');
  await Promise.allSettled(answers);
  return 'answered';
}
