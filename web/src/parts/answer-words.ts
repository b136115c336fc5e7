import type { ApprovalEnd } from '../hub/hub-context.tsx';

/** How somebody allowed a call, for its row. */
export function answerWords({ by, remember, edited }: ApprovalEnd): string {
  const how = edited ? 'allowed with edits' : HOW[remember ?? 'once'];
  const where = by === undefined || by === 'page' ? '' : ` ${WHERE[by]}`;
  return `${how}${where}`;
}

const HOW: Readonly<Record<NonNullable<ApprovalEnd['remember']> | 'once', string>> = {
  once: 'allowed once',
  session: 'allowed for this session',
  tool: 'always allowed',
  reads: 'always allowed for reads',
  arguments: 'always allowed for arguments like these',
};

export const WHERE: Readonly<Record<NonNullable<ApprovalEnd['by']>, string>> = {
  terminal: 'in a terminal',
  page: 'on the page',
  editor: 'in an editor',
  elicitation: 'in the host',
  library: 'by a program',
};
