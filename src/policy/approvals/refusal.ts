import { PlugError } from '../../base/errors.ts';
import type { Approval, ApprovalOutcome } from '../approval.ts';

/** What the caller is told when a person did not say yes. */
export function refusalOf(
  { id, server, tool }: Pick<Approval, 'id' | 'server' | 'tool'>,
  outcome: Exclude<ApprovalOutcome, { kind: 'allowed' }>,
): PlugError {
  const ref = `${server}/${tool}`;
  const details = { approval: id, outcome: outcome.kind, tool: ref };
  if (outcome.kind === 'unanswered') {
    return new PlugError('denied', `Nobody answered whether ${ref} may run, so it did not.`, {
      owner: 'you',
      server,
      next: 'Make the call again: it asks again.',
      details: { ...details, resumable: true },
    });
  }
  if (outcome.kind === 'withdrawn') {
    const message = `The call of ${ref} was withdrawn before anybody answered.`;
    return new PlugError('cancelled', message, { owner: 'you', server, details });
  }
  const { note } = outcome;
  const said = note === undefined ? '' : ` They say: ${note}`;
  return new PlugError('denied', `A person denied ${ref}.${said}`, {
    owner: 'you',
    server,
    details: { ...details, ...(note === undefined ? {} : { note }) },
  });
}
