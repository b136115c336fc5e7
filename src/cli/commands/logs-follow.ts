import { limits } from '../../base/limits.ts';
import type { Hub, ServerView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cliLimits } from '../limits.ts';
import { faint, type Output } from '../output.ts';
import { unknownServer, type Session } from '../session.ts';
import type { LogsArgs } from './logs.ts';

/**
 * `plug logs -f`: goes on until Ctrl-C. Several servers are told apart by their names, and one that
 * is started anew is followed on.
 */
export async function followLogs(hub: Hub, { names, lines }: LogsArgs, session: Session): Promise<ExitCode> {
  const { out, terminal, clock, signal } = session;
  const known = (await hub.servers.list()).servers;
  const missing = names.find((name) => !known.some(({ id }) => id === name));
  if (missing !== undefined)
    throw unknownServer(
      missing,
      known.map(({ id }) => id),
    );
  const followed = new Map<string, Followed>();
  let views: readonly ServerView[] = known;
  while (!signal.aborted && terminal.stdout.isOpen) {
    for (const view of views.filter(({ id }) => names.length === 0 || names.includes(id))) {
      const before = followed.get(view.id) ?? { pid: undefined, lines: undefined };
      const after = await step(hub, view, before, lines);
      const width = Math.max(...[...followed.keys(), view.id].map((id) => id.length));
      for (const line of after.fresh) tell(view.id, line, names.length === 1 ? 0 : width, out);
      followed.set(view.id, after.followed);
    }
    try {
      await clock.sleep(cliLimits.logsPollMs, signal);
      views = (await hub.servers.list()).servers;
    } catch (error) {
      if (signal.aborted) break;
      throw error;
    }
  }
  return exitCodes.ok;
}

interface Followed {
  readonly pid: number | undefined;
  /** What it had written when we looked last; undefined before the first look. */
  readonly lines: readonly string[] | undefined;
}

async function step(
  hub: Hub,
  { id, process }: ServerView,
  before: Followed,
  wanted: number,
): Promise<{ readonly followed: Followed; readonly fresh: readonly string[] }> {
  const { stderr } = await hub.servers.logs({ id, lines: limits.cliLinesMax });
  const pid = process?.pid ?? before.pid;
  const followed = { pid, lines: stderr };
  if (before.lines === undefined) return { followed, fresh: stderr.slice(-wanted) };
  const isAnew = before.pid !== undefined && pid !== before.pid;
  return {
    followed,
    fresh: isAnew && !extend(before.lines, stderr) ? stderr : freshLines(before.lines, stderr),
  };
}

function tell(server: string, line: string, width: number, out: Output): void {
  out.record({ server, line });
  out.line(faint(width === 0 ? '│ ' : `${server.padEnd(width)} │ `), line);
}

/** The log of the new process holds the old one's lines and more: the same ring went on. */
function extend(before: readonly string[], after: readonly string[]): boolean {
  return (
    before.length > 0 && after.length > before.length && before.every((line, index) => after[index] === line)
  );
}

/**
 * What came after `before` in a log of which the oldest lines may have gone. The last line may have
 * been half written: then it counts as new once it is whole.
 */
export function freshLines(before: readonly string[], after: readonly string[]): readonly string[] {
  for (let gone = 0; gone < before.length; gone += 1) {
    const kept = before.slice(gone);
    if (kept.length > after.length) continue;
    const same = kept.every((line, index) => after[index] === line);
    if (same) return after.slice(kept.length);
    const last = kept.length - 1;
    const grown =
      kept.slice(0, -1).every((line, index) => after[index] === line) &&
      after[last]?.startsWith(kept[last] ?? '');
    if (grown) return after.slice(last);
  }
  return after;
}
