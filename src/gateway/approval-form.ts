import { isObject, type JsonObject } from '../base/json.ts';
import type { Approval, ApprovalAnswer } from '../hub/hub.ts';
import { withoutDisk } from '../policy/approvals/card.ts';
import { answerWith, choicesOf, NOTE_CHARS_MAX } from '../policy/approvals/choices.ts';
import { cardLines } from '../policy/approvals/shown.ts';

/**
 * The question as a form for `elicitation/create`. The host that shows it also asked: it learns
 * nothing from it that it could not read anyway.
 */
export function approvalForm(approval: Approval): JsonObject {
  const lines = cardLines(withoutDisk(approval)).map(({ label, text }) =>
    label === '' ? `    ${text}` : `${label}: ${text}`,
  );
  const choices = choicesOf(approval);
  const values = [...choices.map(({ offer }) => offer), DENY];
  return {
    message: [`May ${approval.server}/${approval.tool} run?`, ...lines].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          enum: values,
          enumNames: [...choices.map(({ words }) => words), 'No'],
        },
        note: { type: 'string', title: 'A word to the model (optional)', maxLength: NOTE_CHARS_MAX },
      },
      required: ['decision'],
    },
  };
}

/** A form that was declined or closed says nothing, which is a no. */
export function answerFrom(answer: JsonObject, approval: Approval): ApprovalAnswer {
  const content = isObject(answer['content']) ? answer['content'] : {};
  const chosen = answer['action'] === 'accept' ? content['decision'] : undefined;
  return answerWith(chosen, content['note'], approval);
}

const DENY = 'no';
