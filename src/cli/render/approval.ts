import type { Approval } from '../../hub/hub.ts';
import { cardLines, type CardLine } from '../../policy/approvals/shown.ts';
import { faint, strong, whole, type Output, type Piece, type Style } from '../output.ts';
import { proseLines } from './prose.ts';
import { padToWidth, textWidth } from './text.ts';

export function renderApproval(approval: Approval, out: Output): void {
  for (const line of cardOf(approval, out.width)) out.note(...line);
}

export function printApproval(approval: Approval, out: Output): void {
  for (const line of cardOf(approval, out.width)) out.line(...line);
}

/** The whole card, however long: you can't agree to what isn't shown. */
function cardOf(approval: Approval, columns: number): readonly (readonly Piece[])[] {
  const lines = cardLines(approval);
  const width = Math.min(LABEL_WIDTH_MAX, Math.max(...lines.map(({ label }) => textWidth(label))));
  return [
    [strong(`${approval.server}/${approval.tool}`), ` needs approval (${approval.id}).`],
    ...lines.flatMap(({ label, text, style }): readonly (readonly Piece[])[] => {
      const painted = STYLES[style];
      // A further line of an argument stands behind a bar: it may begin like a line of ours.
      const isFurther = label === '' && !/^[+-]/.test(text);
      const lead: Piece = faint(`  ${padToWidth(label, width)}${isFurther ? '│ ' : '  '}`);
      const said = whole(text, painted);
      // Only our own sentence is wrapped; arguments are shown unchanged.
      return style === 'note' ? proseLines([lead], said, columns) : [[lead, said]];
    }),
  ];
}

/** A deep argument has a long name, and must not push all others to the edge. */
const LABEL_WIDTH_MAX = 16;

const STYLES: Readonly<Record<CardLine['style'], Style | undefined>> = {
  name: 'strong',
  plain: undefined,
  place: 'strong',
  danger: 'bad',
  note: 'warn',
  added: 'good',
  removed: 'bad',
  context: 'faint',
};

export function requesterText({ requester }: Pick<Approval, 'requester'>): string {
  if (requester.kind === 'person') return 'you';
  return requester.name ?? (requester.kind === 'host' ? 'a host' : 'a program');
}
