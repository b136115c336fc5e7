import { isObject, type JsonObject } from '../base/json.ts';
import type { Approval, ApprovalAnswer } from '../hub/hub.ts';
import { withoutDisk } from '../policy/approvals/card.ts';
import { cardLines } from '../policy/approvals/shown.ts';

/**
 * The question as a form for `elicitation/create`. The host that shows it also asked: it learns
 * nothing from it that it could not read anyway.
 */
export function approvalForm(approval: Approval): JsonObject {
  const lines = cardLines(withoutDisk(approval)).map(({ label, text }) =>
    label === '' ? `    ${text}` : `${label}: ${text}`,
  );
  const choices = CHOICES.filter(({ offer }) => approval.offers.includes(offer));
  const values = [...choices.map(({ value }) => value), DENY];
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
        note: { type: 'string', title: 'A word to the model (optional)', maxLength: 500 },
      },
      required: ['decision'],
    },
  };
}

/** Whatever is not clearly a yes is a no. */
export function answerFrom(answer: JsonObject, { argsHash, offers }: Approval): ApprovalAnswer {
  const content = isObject(answer['content']) ? answer['content'] : {};
  const chosen = CHOICES.find(({ value }) => value === content['decision']);
  const given = content['note'];
  const note = typeof given === 'string' && given !== '' ? { note: given.slice(0, 500) } : {};
  if (answer['action'] !== 'accept' || !chosen || !offers.includes(chosen.offer)) {
    return { effect: 'deny', argsHash, ...note };
  }
  const { offer } = chosen;
  return { effect: 'allow', argsHash, ...(offer === 'once' ? {} : { remember: offer }) };
}

const DENY = 'no';

const CHOICES = [
  { value: 'once', offer: 'once', words: 'Yes, this call' },
  { value: 'session', offer: 'session', words: 'Yes, until the hub stops' },
  { value: 'tool', offer: 'tool', words: 'Yes, and always for this tool' },
  { value: 'reads', offer: 'reads', words: 'Yes, and always for reading from this server' },
] as const;
