import { PlugError, type PlugErrorOptions } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Answerer, Approval, ApprovalAnswer } from '../approval.ts';
import { isRequester } from '../decision.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { HIDDEN } from '../../base/redact.ts';
import type { ShownArguments } from './changes.ts';

/** Throws why this answer does not count. The approval goes on waiting. */
export function checkAnswer(approval: Approval, answer: ApprovalAnswer, by: Answerer, limits: Limits): void {
  checkAnswerer(approval, by);
  if (answer.argsHash !== approval.argsHash) {
    throw refused(approval, 'This answer is for other arguments than the ones that wait.', {
      remedy: `Look at ${approval.id} again and answer what it shows now.`,
    });
  }
  checkParts(approval, answer, limits);
}

/** The model that asks would always say yes: only somebody else may answer, or the person themselves. */
export function checkAnswerer({ requester, id, server }: Approval, by: Answerer): void {
  if (requester.kind === 'person' || !isRequester(requester, by.id)) return;
  const who = requester.name ?? `this ${requester.kind}`;
  throw new PlugError('denied', `${who} asked for this call and cannot approve it itself.`, {
    owner: 'you',
    server,
    remedy: { do: 'approve', id },
    details: { approval: id },
  });
}

/** Everything of an answer that needs no look at who gives it. */
export function checkParts(
  approval: Approval,
  answer: Omit<ApprovalAnswer, 'argsHash'>,
  limits: Limits,
): void {
  const { effect, args, remember, pattern, note } = answer;
  if (effect === 'deny' && (args !== undefined || remember !== undefined)) {
    throw refused(approval, 'A denial neither changes arguments nor is it remembered.');
  }
  if (effect === 'allow' && note !== undefined) {
    throw refused(approval, 'Only a denial carries a note to the model.');
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
  const choices = approval.offers.join(', ') || 'once';
  return refused(
    approval,
    `“${remember}” cannot be remembered for ${approval.server}/${approval.tool}; there is: ${choices}.`,
    { remedy: 'Allow it once, or choose another way to remember it.' },
  );
}

function refused(
  { id, server }: Approval,
  message: string,
  { remedy }: Pick<PlugErrorOptions, 'remedy'> = {},
): PlugError {
  return new PlugError('usage', message, {
    owner: 'you',
    server,
    remedy,
    details: { approval: id },
  });
}

/**
 * A person edits what they see, and secrets they do not see. A masked value that was left as it was
 * stands for the value behind it; a mask anywhere else would be sent as text, so it is refused.
 */
export function unmaskEdited(edited: JsonObject, shown: ShownArguments): JsonObject {
  return restore(edited, shown.args, shown.masked, '') as JsonObject; // an object is restored to an object
}

function restore(edited: Json, args: Json | undefined, masked: Json | undefined, path: string): Json {
  if (typeof edited === 'string') return restoreText(edited, args, masked, path);
  if (typeof edited !== 'object' || edited === null) return edited;
  if (Array.isArray(edited)) {
    return edited.map((item: Json, index) =>
      restore(item, at(args, index), at(masked, index), joined(path, String(index))),
    );
  }
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]: [string, Json | undefined]) => {
      if (key.includes(HIDDEN)) throw maskLeft(joined(path, key));
      return [
        key,
        value === undefined ? value : restore(value, at(args, key), at(masked, key), joined(path, key)),
      ];
    }),
  );
}

function restoreText(edited: string, args: Json | undefined, masked: Json | undefined, path: string): Json {
  if (!edited.includes(HIDDEN)) return edited;
  // Also where the arguments themselves spell the mask: then nothing is hidden behind it.
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
  return new PlugError(
    'bad_arguments',
    `“${path}” was edited but still holds ${HIDDEN}, which hides a secret.`,
    {
      owner: 'you',
      remedy: 'Leave the field exactly as it was shown, or write its whole value.',
      details: { field: path },
    },
  );
}
