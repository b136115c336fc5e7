import type { ToolList, ToolView } from '../../hub/hub.ts';
import { WARNING, type Output, type Style } from '../output.ts';

export const RISK_STYLES: Readonly<Record<ToolView['risk'], Style>> = {
  read: 'good',
  write: 'warn',
  destructive: 'bad',
  unknown: 'faint',
};

export function flagText({ flags }: Pick<ToolView, 'flags'>): string {
  return [...new Set(flags.map(({ kind }) => kind.replaceAll('_', ' ')))].join(', ');
}

export function renderWithheld(tool: ToolList['withheld'][number], out: Output): void {
  const next = tool.next === undefined ? '' : ` → ${tool.next}`;
  out.line(WARNING, `${tool.ref}: ${tool.reason}${next}`);
  for (const { field, before, after } of tool.diff ?? []) {
    if (before !== undefined) out.line({ style: 'bad', text: `    - ${field}: ` }, before);
    if (after !== undefined) out.line({ style: 'good', text: `    + ${field}: ` }, after);
  }
}

export function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?]\s/u);
  return end === -1 ? line : line.slice(0, end + 1);
}
