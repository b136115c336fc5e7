import type { Hub, ServerLog } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { WARNING, faint, strong, type Output } from '../output.ts';
import { withServerName, type Session } from '../session.ts';
import { usage } from '../failures.ts';

export interface LogsArgs {
  readonly names: readonly string[];
  readonly lines: number;
  /** Goes on from there. */
  readonly follow?: boolean;
}

/** `plug logs`: what servers wrote to stderr, and what they wrote to stdout by mistake. */
export async function logs(hub: Hub, args: LogsArgs, session: Session): Promise<ExitCode> {
  if (args.follow) return await (await import('./logs-follow.ts')).followLogs(hub, args, session);
  const { names, lines } = args;
  const { out } = session;
  if (names.length === 0) {
    throw usage('Say whose log to show.', 'plug logs SERVER, or plug logs -f for all of them');
  }
  const found: ServerLog[] = [];
  for (const name of names)
    found.push(await withServerName(hub, name, () => hub.servers.logs({ id: name, lines })));
  const [only] = found;
  out.document(found.length === 1 ? only : { logs: found });
  if (out.json) return exitCodes.ok;
  for (const log of found) {
    if (found.length > 1) out.line(strong(log.server));
    if (log.stderr.length > 0) out.quote(log.stderr.join('\n'));
    renderNoise(log, out);
    if (log.stderr.length === 0 && log.noise.count === 0) out.note(`${log.server} has written nothing.`);
  }
  return exitCodes.ok;
}

function renderNoise({ server, noise }: ServerLog, out: Output): void {
  if (noise.count === 0) return;
  out.note(
    WARNING,
    `${server} wrote ${noise.count} lines to stdout that are not MCP messages. The last ones:`,
  );
  for (const line of noise.lines) out.note(faint('  │ '), line);
}
