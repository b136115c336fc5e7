import { PlugError, type PlugErrorOptions } from '../../base/errors.ts';
import { ExactNumber } from '../../base/exact-number.ts';
import type { Limits } from '../../base/limits.ts';
import type { Answerer, Approver, Approval, ApprovalAnswer, ApprovalOutcome } from '../approval.ts';
import { approversOf, isRequester, type Approvers } from '../decision.ts';
import { nameOfApprovers } from '../rules/rule.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { HIDDEN } from '../../base/secret-names.ts';
import type { ShownArguments } from './card.ts';

/** Throws why this answer doesn't count; the approval keeps waiting. */
export function checkAnswer(approval: Approval, answer: ApprovalAnswer, by: Answerer, limits: Limits): void {
  checkAnswerer(approval, by);
  if (answer.argsHash !== approval.argsHash) {
    throw refused(approval, 'This answer is for other arguments than the ones that wait.', {
      remedy: `Look at ${approval.id} again and answer what it shows now.`,
    });
  }
  checkParts(approval, answer, limits);
}

/** A model would approve its own call: only others may answer, or the person themselves. */
export function checkAnswerer({ requester, id, server, decision }: Approval, by: Answerer): void {
  const approvers = approversOf(decision);
  if (approvers !== undefined) {
    if (isAmong(approvers, by.approver)) return;
    const message = `Only ${nameOfApprovers(approvers)} can answer this, and not who asked for it.`;
    throw new PlugError('denied', message, { owner: 'you', server, details: { approval: id } });
  }
  if (requester.kind === 'person' || !isRequester(requester, by.id)) return;
  const who = requester.name ?? `this ${requester.kind}`;
  const message = `${who} asked for this call and cannot approve it itself.`;
  const remedy = { do: 'approve', id } as const;
  throw new PlugError('denied', message, { owner: 'you', server, remedy, details: { approval: id } });
}

/** Whether this person may answer an approval that is reserved for these approvers. */
export function isAmong(approvers: Approvers, approver: Approver | undefined): boolean {
  if (!approver) return false;
  return approvers === 'admins' ? approver.isAdmin : approver.groups.includes(approvers.group);
}

export function checkParts(
  approval: Approval,
  answer: Omit<ApprovalAnswer, 'argsHash'>,
  limits: Limits,
): void {
  const { effect, args, remember, pattern, note } = answer;
  if (effect === 'deny' && (args !== undefined || remember !== undefined)) {
    throw refused(approval, 'A denial can’t change arguments or be remembered.');
  }
  if (effect === 'allow' && note !== undefined) {
    throw refused(approval, 'Only a denial can have a note.');
  }
  if (note !== undefined && note.length > limits.approvalNoteCharsMax) {
    throw refused(approval, `A note has at most ${limits.approvalNoteCharsMax} characters.`);
  }
  if (remember !== undefined && !approval.offers.includes(remember)) throw notOffered(approval, remember);
  const named = Object.keys(pattern ?? {}).length;
  if ((remember === 'arguments') !== named > 0) {
    throw refused(approval, 'To remember by arguments, say which ones and what they look like.');
  }
  if (named > limits.approvalPatternFieldsMax) {
    throw refused(approval, `A pattern names at most ${limits.approvalPatternFieldsMax} arguments.`);
  }
}

function notOffered(approval: Approval, remember: string): PlugError {
  const { server, tool, offers } = approval;
  const choices = offers.join(', ') || 'once';
  const message = `“${remember}” cannot be remembered for ${server}/${tool}; there is: ${choices}.`;
  return refused(approval, message, { remedy: 'Allow it once, or choose another way to remember it.' });
}

function refused(
  { id, server }: Approval,
  message: string,
  { remedy }: Pick<PlugErrorOptions, 'remedy'> = {},
): PlugError {
  return new PlugError('usage', message, { owner: 'you', server, remedy, details: { approval: id } });
}

/** An unchanged mask stands for its value; a mask anywhere else would be sent as text and is refused. */
export function unmaskEdited(edited: JsonObject, shown: ShownArguments): JsonObject {
  return restore(edited, shown.args, shown.masked, '') as JsonObject; // an object is restored to an object
}

function restore(edited: Json, args: Json | undefined, masked: Json | undefined, path: string): Json {
  if (typeof edited === 'string') return restoreText(edited, args, masked, path);
  if (typeof edited !== 'object' || edited === null || edited instanceof ExactNumber) return edited;
  if (Array.isArray(edited)) {
    return edited.map((item: Json, index) =>
      restore(item, at(args, index), at(masked, index), joined(path, String(index))),
    );
  }
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]: [string, Json | undefined]) => {
      if (key.includes(HIDDEN)) throw maskLeft(joined(path, key));
      if (value === undefined) return [key, value];
      return [key, restore(value, at(args, key), at(masked, key), joined(path, key))];
    }),
  );
}

function restoreText(edited: string, args: Json | undefined, masked: Json | undefined, path: string): Json {
  if (!edited.includes(HIDDEN)) return edited;
  // Also when the arguments contain the mask as plain text.
  if (args !== undefined && edited === masked) return args;
  if (typeof args === 'string' && args.includes(HIDDEN) && args === masked) return edited;
  throw maskLeft(path);
}

function at(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof key === 'number') return Array.isArray(value) ? (value[key] as Json | undefined) : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function maskLeft(path: string): PlugError {
  const message = `“${path}” was edited but still holds ${HIDDEN}, which hides a secret.`;
  const remedy = 'Leave the field exactly as it was shown, or write its whole value.';
  return new PlugError('bad_arguments', message, { owner: 'you', remedy, details: { field: path } });
}

interface Ending {
  readonly outcome: ApprovalOutcome['kind'];
  readonly by?: Answerer;
  readonly isBarred?: boolean;
  readonly at: number;
}

/** Approvals that no longer wait, for late answers. */
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

  reason(id: string): PlugError {
    const ending = this.#kept.get(id);
    const shown = id.slice(0, 80);
    if (!ending) return gone(shown, `There is no pending approval “${shown}”.`);
    const when = new Date(ending.at).toISOString();
    if (ending.outcome === 'unanswered') {
      return gone(shown, `${shown} was not answered in time and ended as denied at ${when}.`);
    }
    if (ending.isBarred) return gone(shown, `${shown} was refused at ${when}: read-only mode was turned on.`);
    if (ending.outcome === 'withdrawn') return gone(shown, `The caller of ${shown} withdrew it at ${when}.`);
    const { outcome, by, at } = ending;
    const who = by ? `${WHERE[by.kind]} (${by.id.slice(0, 80)})` : 'another person';
    return new PlugError('already_exists', `${shown} was already ${outcome} ${who} at ${when}.`, {
      owner: 'you',
      details: { approval: shown, outcome, by, at },
    });
  }
}

const WHERE: Record<Answerer['kind'], string> = {
  terminal: 'in a terminal',
  page: 'on the page',
  editor: 'in an editor',
  elicitation: 'in the host',
  library: 'by a program',
};

function gone(id: string, message: string): PlugError {
  const remedy = 'Call it again to be asked again.';
  return new PlugError('not_found', message, { owner: 'you', remedy, details: { approval: id } });
}
