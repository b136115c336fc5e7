import type { ServerView } from '../../hub/hub.ts';
import { faint, type Output } from '../output.ts';

/** Whether the reads of a server that was just added will ask. */
export function renderTrust({ id, trust }: Pick<ServerView, 'id' | 'trust'>, out: Output): void {
  const text =
    trust === 'none'
      ? `  Its calls ask first. To let those run that only read: plug trust ${id}`
      : `  It is a featured server, so that what only reads runs without asking. To be asked: plug untrust ${id}`;
  out.line(faint(text));
}
