import type { TextDifference } from '../../hub/hub.ts';
import { strong, type Output } from '../output.ts';

/** A file and the lines of it that change. */
export function renderDifference(file: string, { removed, added }: TextDifference, out: Output): void {
  out.line(strong(file));
  for (const line of removed) out.line({ style: 'bad', text: `  - ${line}` });
  for (const line of added) out.line({ style: 'good', text: `  + ${line}` });
}
