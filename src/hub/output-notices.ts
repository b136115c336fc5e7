import type { Broadcast } from '../base/broadcast.ts';
import type { Clock } from '../base/clock.ts';
import type { OutputKind } from '../connections/pool.ts';
import type { HubEvent } from './hub.ts';

const TELL_AFTER_MS = 200;

/** A server may write a thousand lines a second: readers are told at most once in this time that there is more. */
export function outputNotices(
  clock: Clock,
  events: Pick<Broadcast<HubEvent>, 'send'>,
): (server: string, of: OutputKind) => void {
  const due = new Set<string>();
  return (server, of) => {
    const key = `${of} ${server}`;
    if (due.has(key)) return;
    due.add(key);
    clock.after(TELL_AFTER_MS, () => {
      due.delete(key);
      events.send({ kind: 'server-output', server, of });
    });
  };
}
