import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { Approval, ApprovalOutcome } from '../hub/hub-context.tsx';

/** `create_issue` → “create issue”. */
export function toolWords(tool: string): string {
  return showHidden(
    tool
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[_\-./]+/g, ' ')
      .toLowerCase(),
  );
}

export function askerOf({ kind, name }: Approval['requester']): string {
  if (kind === 'host' && name === PAGE_HOST) return 'the model in your chat';
  if (name !== undefined) return showHidden(name);
  return kind === 'person' ? 'you' : `a ${kind}`;
}

/** Under this name the page is attached as a host. */
export const PAGE_HOST = 'page';

/** How a question ended, for whoever looks at it. */
export function endOf(outcome: ApprovalOutcome['kind'], where = ''): string {
  const ends: Readonly<Record<ApprovalOutcome['kind'], string>> = {
    allowed: where === '' ? 'Allowed.' : `Allowed ${where}.`,
    denied: where === '' ? 'Denied.' : `Denied ${where}.`,
    unanswered: 'Denied: no answer in time.',
    withdrawn: 'No longer needed: nothing was called.',
  };
  return ends[outcome];
}

/** What each offer is called on a button, and what is said of it afterwards. */
export const OFFERS: Readonly<
  Record<
    Approval['offers'][number],
    { readonly button: string; readonly said: string; readonly more: string }
  >
> = {
  once: { button: 'Allow', said: 'You allowed it once.', more: 'Only this call' },
  session: {
    button: 'Allow for this session',
    said: 'You allowed this tool until the hub stops.',
    more: 'This tool, until the hub stops',
  },
  tool: {
    button: 'Always allow this tool',
    said: 'You always allow this tool.',
    more: 'This tool, with any arguments, until you revoke it under Grants',
  },
  reads: {
    button: 'Always allow this server’s read-only tools',
    said: 'You allowed this server’s read-only tools.',
    more: 'This server’s read-only tools, until you revoke it under Grants',
  },
  arguments: {
    button: 'Allow arguments like these…',
    said: 'You allowed calls with arguments like these.',
    more: 'This tool, where chosen arguments look like a pattern',
  },
};
