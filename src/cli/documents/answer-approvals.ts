import { commandOf } from '../../base/remedy-command.ts';
import { PlugError, toPlugError, type ErrorView } from '../../base/errors.ts';
import { grantRemedy } from '../../policy/approvals/headless.ts';
import type { Approval, Hub } from '../../hub/hub.ts';
import { coversCall, isPlainRead, type DocumentGrant } from './grants.ts';

export interface Permissions {
  readonly yesReads: boolean;
  /** Those of the file, once they are accepted. */
  readonly grants: readonly DocumentGrant[];
}

/** Answers what a run is asked, at once and without anybody: what was not allowed beforehand is refused. */
export class ApprovalAnswers {
  readonly #hub: Hub;
  readonly #permissions: Permissions;
  readonly #answering = new Set<Promise<void>>();
  readonly #refused: ErrorView[] = [];
  readonly #failed = new AbortController();

  constructor(hub: Hub, permissions: Permissions) {
    this.#hub = hub;
    this.#permissions = permissions;
  }

  /** Aborts when a question could not be answered: the call would wait for nobody. */
  get signal(): AbortSignal {
    return this.#failed.signal;
  }

  /** What was refused, each with the command that grants it. */
  get refused(): readonly ErrorView[] {
    return this.#refused;
  }

  answer(approval: Approval): void {
    const answering = this.#send(approval).finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  }

  /** Until every answer has been taken. */
  async settled(): Promise<void> {
    await Promise.all(this.#answering);
  }

  async #send(approval: Approval): Promise<void> {
    const { id, argsHash } = approval;
    const allowed = this.#allows(approval);
    try {
      await this.#hub.approvals.answer({
        id,
        ...(allowed ? { effect: 'allow', argsHash } : { effect: 'deny', argsHash, note: NOTE }),
      });
      if (!allowed) this.#refused.push(refusalOf(approval));
    } catch (error) {
      const { code, details } = toPlugError(error);
      // Somebody at another face was faster, or the call is over: then there is nothing to answer.
      if (code === 'already_exists') {
        if (details?.['outcome'] !== 'allowed') this.#refused.push(refusalOf(approval));
      } else if (code !== 'not_found') this.#failed.abort(error);
    }
  }

  #allows(approval: Approval): boolean {
    const { yesReads, grants } = this.#permissions;
    return (yesReads && isPlainRead(approval)) || grants.some((grant) => coversCall(grant, approval));
  }
}

/** What the model hears. */
const NOTE = 'not granted for this run';

function refusalOf(approval: Approval): ErrorView {
  const { server, tool, risk, flags = [], argsHash, decision } = approval;
  const grant = grantRemedy({ ref: `${server}/${tool}`, risk, flags, argsHash, decision });
  return new PlugError(
    'approval_required',
    `${server}/${tool} needs an approval, and was not granted for this run. ${decision.reason}`,
    {
      owner: 'you',
      server,
      remedy: grant ?? { do: 'say', text: 'Make the call where a person can answer it.' },
      details: {
        tool,
        server,
        risk,
        argsHash,
        decision,
        ...(grant === undefined ? {} : { grant: commandOf(grant) }),
      },
    },
  ).toView();
}
