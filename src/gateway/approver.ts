import { commandOf } from '../base/remedy-command.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Approval, Hub, ApprovalAnswer } from '../hub/hub.ts';
import { showsForms, type HostCall } from './host-call.ts';
import type { GatewayLimits } from './limits.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { withoutDisk } from '../policy/approvals/card.ts';
import { answerWith, choicesOf, NOTE_CHARS_MAX } from '../policy/approvals/choices.ts';
import { cardLines } from '../policy/approvals/shown.ts';

export interface ApproverOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: GatewayLimits;
  /** The hub as somebody else than the host that asks: the person who answers in its form. */
  readonly answering: (id: string) => Hub;
  /** Where a person can answer, if there is such a page. */
  readonly link: (approval: Approval) => string | undefined;
  /** Where the page lists what waits, for those who have a session there. */
  readonly page: () => string | undefined;
}

/**
 * Brings approvals to the person: in a form of the host's where it can show one, otherwise as a
 * link and a command in signs of life, so that the host neither gives up nor keeps it to itself.
 * Whoever answers first, here or elsewhere, decides; the call itself waits for the outcome.
 */
export class Approver {
  readonly #options: ApproverOptions;
  /** Small steps: what the server itself reports later must be more. */
  readonly #steps = new WeakMap<HostCall, number>();

  constructor(options: ApproverOptions) {
    this.#options = options;
  }

  /** Told that a call waits; answers how to stop asking once it does not. */
  ask(approval: Approval, call: HostCall): Cancel {
    const { elicitation, capabilities } = call.handlers;
    if (elicitation && showsForms(capabilities)) {
      const over = new AbortController();
      const asked = this.#askInForm(approval, call, over.signal);
      ignore(asked, 'somebody may still answer elsewhere, and the call itself says how it ended');
      return () => over.abort(new Error('The question was answered.'));
    }
    return this.#tellWhere(approval, call);
  }

  /** Shows that the call is alive. */
  note(call: HostCall, message: string): void {
    const { progressToken } = call;
    if (progressToken === undefined) {
      const log = { level: 'notice', logger: 'plugboard', data: message };
      if (call.wantsLogs) call.notify('notifications/message', log);
      return;
    }
    const step = this.#steps.get(call) ?? 0;
    this.#steps.set(call, step + 1);
    call.notify('notifications/progress', { progressToken, progress: step * STEP, message });
  }

  async #askInForm(approval: Approval, call: HostCall, signal: AbortSignal): Promise<void> {
    const { ids, answering } = this.#options;
    const { server } = approval;
    const form = { server, kind: 'elicitation', params: approvalForm(approval), key: 'approval' } as const;
    const answer = await call.handlers.elicitation?.(form, { signal });
    if (!answer || signal.aborted) return;
    const { approvals } = answering(ids.next('elicitation'));
    await approvals.answer({ id: approval.id, ...answerFrom(answer, approval) });
  }

  #tellWhere(approval: Approval, call: HostCall): Cancel {
    const { clock, limits, link, page: list } = this.#options;
    // The link of an approval answers it, whoever opens it: a host could do so itself.
    const page = call.hasToken ? list() : link(approval);
    const command = commandOf({ do: 'approve', id: approval.id });
    const where = page === undefined ? `run: ${command}` : `open ${page} or run: ${command}`;
    const text = `${approval.server}/${approval.tool} waits for your approval: ${where}`;
    this.note(call, text);
    if (call.progressToken !== undefined) {
      return clock.every(limits.waitingNoteMs, () => this.note(call, text));
    }
    // Nothing tells this host that the call is alive: it would end it without having seen why.
    return clock.after(limits.silentWaitMs, () => call.abort(unseen(approval)));
  }
}

const STEP = 1e-6;

function unseen({ server, tool }: Approval): PlugError {
  return new PlugError(
    'approval_required',
    `${server}/${tool} needs an approval that nobody gave in time, and this host can neither show the question nor wait longer.`,
    { owner: 'you', server, remedy: { do: 'grant', tool: `${server}/${tool}` } },
  );
}

/**
 * The question as a form for `elicitation/create`. The host that shows it also asked: it learns
 * nothing from it that it could not read anyway.
 */
function approvalForm(approval: Approval): JsonObject {
  const lines = cardLines(withoutDisk(approval)).map(({ label, text }) =>
    label === '' ? `    ${text}` : `${label}: ${text}`,
  );
  const choices = choicesOf(approval);
  // Forms often begin with the first value chosen.
  const values = [DENY, ...choices.map(({ offer }) => offer)];
  return {
    message: [`May ${approval.server}/${approval.tool} run?`, ...lines].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          enum: values,
          enumNames: ['No', ...choices.map(({ words }) => words)],
        },
        note: {
          type: 'string',
          title: 'If you say no: a word to the model (optional)',
          maxLength: NOTE_CHARS_MAX,
        },
      },
      required: ['decision'],
    },
  };
}

/**
 * A form that was declined or closed says nothing, which is a no. So is a yes with a note: the note says
 * why not, and the form cannot be shown again to ask which of them was meant.
 */
function answerFrom(answer: JsonObject, approval: Approval): ApprovalAnswer {
  const content = isObject(answer['content']) ? answer['content'] : {};
  const chosen = answer['action'] === 'accept' ? content['decision'] : undefined;
  const given = answerWith(chosen, content['note'], approval);
  return given.note === undefined ? given : answerWith(DENY, given.note, approval);
}

const DENY = 'no';
