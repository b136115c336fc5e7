import { idJson } from './rpc.ts';
import { commandOf } from '../base/remedy-command.ts';
import type { Cancel } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Approval, ApprovalAnswer } from '../hub/hub.ts';
import { LOCAL } from '../hub/principal.ts';
import type { GatewayOptions } from './gateway.ts';
import { showsForms, type HostCall } from './host-call.ts';
import type { GatewayLimits } from './limits.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { withoutDisk } from '../policy/approvals/card.ts';
import { answerWith, choicesOf, NOTE_CHARS_MAX } from '../policy/approvals/choices.ts';
import { approversOf, type Approvers } from '../policy/decision.ts';
import { nameOfApprovers } from '../policy/rules/rule.ts';
import { cardLines } from '../policy/approvals/shown.ts';

export interface ApproverOptions extends Omit<GatewayOptions, 'version'> {
  readonly limits: GatewayLimits;
}

/** In the host's own form if it has one, else as a link and a command in notes. The first answer decides. */
export class Approver {
  readonly #options: ApproverOptions;
  /** Tiny steps: the server's own progress must come out higher. */
  readonly #steps = new WeakMap<HostCall, number>();

  constructor(options: ApproverOptions) {
    this.#options = options;
  }

  ask(approval: Approval, call: HostCall): Cancel {
    const approvers = approversOf(approval.decision);
    if (approvers !== undefined) return this.#tell(approval, call, othersText(approval, approvers));
    const { elicitation, capabilities } = call.handlers;
    if (elicitation && showsForms(capabilities)) {
      const over = new AbortController();
      const asked = this.#askInForm(approval, call, over.signal);
      ignore(asked, 'somebody may still answer elsewhere, and the call itself says how it ended');
      return () => over.abort(new Error('The question was answered.'));
    }
    return this.#tellWhere(approval, call);
  }

  note(call: HostCall, message: string): void {
    const { progressToken } = call;
    if (progressToken === undefined) {
      const log = { level: 'notice', logger: 'plugboard', data: message };
      if (call.wantsLogs) call.notify('notifications/message', log);
      return;
    }
    const step = this.#steps.get(call) ?? 0;
    this.#steps.set(call, step + 1);
    call.notify('notifications/progress', {
      progressToken: idJson(progressToken),
      progress: step * STEP,
      message,
    });
  }

  async #askInForm(approval: Approval, call: HostCall, signal: AbortSignal): Promise<void> {
    const { ids, hub } = this.#options;
    const { server } = approval;
    const form = { server, kind: 'elicitation', params: approvalForm(approval), key: 'approval' } as const;
    const answer = await call.handlers.elicitation?.(form, { signal });
    if (!answer || signal.aborted) return;
    // As the person who answers, not as the host that asks.
    const person = hub.as({ id: ids.next('elicitation'), kind: 'elicitation', principal: LOCAL });
    await person.approvals.answer({ id: approval.id, ...answerFrom(answer, approval) });
  }

  #tellWhere(approval: Approval, call: HostCall): Cancel {
    const { approvalLink, approvalsPage } = this.#options;
    // Anyone who opens an approval's link can answer it: a host with a token must not get it.
    const page = call.hasToken ? approvalsPage?.() : approvalLink?.(approval);
    const command = commandOf({ do: 'approve', id: approval.id });
    const where = page === undefined ? `run: ${command}` : `open ${page} or run: ${command}`;
    return this.#tell(
      approval,
      call,
      `${approval.server}/${approval.tool} waits for your approval: ${where}`,
    );
  }

  #tell(approval: Approval, call: HostCall, text: string): Cancel {
    const { clock, limits } = this.#options;
    this.note(call, text);
    if (call.progressToken !== undefined) {
      return clock.every(limits.waitingNoteMs, () => this.note(call, text));
    }
    // Without signs of life the host would give up without showing why.
    return clock.after(limits.silentWaitMs, () => call.abort(unseen(approval)));
  }
}

const STEP = 1e-6;

/** The person at this host asked for it: they can only tell the others. */
function othersText({ server, tool }: Approval, approvers: Approvers): string {
  return `${server}/${tool} waits for approval by ${nameOfApprovers(approvers)}, on the team’s page.`;
}

function unseen({ server, tool, decision }: Approval): PlugError {
  const approvers = approversOf(decision);
  if (approvers !== undefined) {
    const message = `${server}/${tool} needs approval by ${nameOfApprovers(approvers)}. It wasn't given in time, and this host can't wait longer.`;
    const remedy = `Tell ${nameOfApprovers(approvers)}, and call it again while they can look.`;
    return new PlugError('approval_required', message, { owner: 'you', server, remedy });
  }
  return new PlugError(
    'approval_required',
    `${server}/${tool} needs approval. It wasn't given in time, and this host can neither show the question nor wait longer.`,
    { owner: 'you', server, remedy: { do: 'grant', tool: `${server}/${tool}` } },
  );
}

/** The host that shows the form also made the call: it learns nothing new. */
function approvalForm(approval: Approval): JsonObject {
  const lines = cardLines(withoutDisk(approval)).map(({ label, text }) =>
    label === '' ? `    ${text}` : `${label}: ${text}`,
  );
  const choices = choicesOf(approval);
  // Forms often preselect the first value.
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

/** A declined or closed form is a no; so is a yes with a note, since the form can't ask which was meant. */
function answerFrom(answer: JsonObject, approval: Approval): ApprovalAnswer {
  const content = isObject(answer['content']) ? answer['content'] : {};
  const chosen = answer['action'] === 'accept' ? content['decision'] : undefined;
  const given = answerWith(chosen, content['note'], approval);
  return given.note === undefined ? given : answerWith(DENY, given.note, approval);
}

const DENY = 'no';
