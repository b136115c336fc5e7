import type { Approval, Hub } from '../hub/hub.ts';
import { ignore } from '../base/errors.ts';
import { renderApproval } from './render/approval.ts';
import type { Session } from './session.ts';

/**
 * Calls that wait together: all are shown, then one key answers. Exactly those that were shown are
 * answered, each by its own arguments; one that joined them meanwhile asks for itself.
 */
export async function askTogether(
  hub: Hub,
  approvals: readonly Approval[],
  session: Session,
  signal: AbortSignal,
): Promise<'answered' | 'stopped' | 'singly'> {
  const { out, terminal, clock } = session;
  for (const approval of approvals) renderApproval(approval, out);
  const count = approvals.length;
  out.note({ style: 'strong', text: '  y ' }, `yes, all ${count}, once`);
  out.note({ style: 'strong', text: '  o ' }, 'one by one, with all choices');
  out.note({ style: 'strong', text: '  n ' }, `no, none of the ${count}`);
  out.note({ style: 'faint', text: '  Esc stops the turn.' });
  for (;;) {
    const key = await terminal.askKey(`Allow all ${count}? [y/o/N] `, { clock, signal });
    if (key === 'escape' || key === 'interrupt') return 'stopped';
    if (key === 'o') return 'singly';
    if (key === 'y') return await answerAll(hub, approvals, { effect: 'allow' });
    if (key !== 'n' && key !== 'enter') continue;
    const note = (await terminal.ask('Why not? The model is told: ', signal)).trim();
    return await answerAll(hub, approvals, { effect: 'deny', ...(note === '' ? {} : { note }) });
  }
}

async function answerAll(
  hub: Hub,
  approvals: readonly Approval[],
  answer: { readonly effect: 'allow' | 'deny'; readonly note?: string },
): Promise<'answered'> {
  const answers = approvals.map(({ id, argsHash }) => hub.approvals.answer(id, { ...answer, argsHash }));
  for (const each of answers) ignore(each, 'somebody else was faster, or it is no longer wanted');
  await Promise.allSettled(answers);
  return 'answered';
}
