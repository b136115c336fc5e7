import type { TextDifference } from '../../hub/hub.ts';
import { strong, whole, type Output } from '../output.ts';

/** A file and the lines of it that change. */
export function renderDifference(file: string, { removed, added }: TextDifference, out: Output): void {
  out.line(strong(file));
  for (const line of removed) out.line(whole(`  - ${line}`, 'bad'));
  for (const line of added) out.line(whole(`  + ${line}`, 'good'));
}
