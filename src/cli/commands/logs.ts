import { PlugError } from '../../base/errors.ts';
import type { Hub, ServerLog } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { withServerName, type Session } from '../session.ts';

export interface LogsArgs {
  readonly names: readonly string[];
  readonly lines: number;
}

/** `plug logs`: what servers wrote to stderr, and what they wrote to stdout by mistake. */
export async function logs(hub: Hub, { names, lines }: LogsArgs, { out }: Session): Promise<ExitCode> {
  if (names.length === 0) {
    throw new PlugError('usage', 'Say whose log to show.', {
      owner: 'you',
      next: 'plug logs SERVER, or plug logs -f for all of them',
    });
  }
  const found: ServerLog[] = [];
  for (const name of names)
    found.push(await withServerName(hub, name, () => hub.servers.logs(name, { lines })));
  const [only] = found;
  out.document(found.length === 1 ? only : { logs: found });
  if (out.json) return exitCodes.ok;
  for (const log of found) {
    if (found.length > 1) out.line({ style: 'strong', text: log.server });
    for (const line of log.stderr) out.line(line);
    renderNoise(log, out);
    if (log.stderr.length === 0 && log.noise.count === 0) out.note(`${log.server} has written nothing.`);
  }
  return exitCodes.ok;
}

function renderNoise({ server, noise }: ServerLog, out: Output): void {
  if (noise.count === 0) return;
  out.note(
    { style: 'warn', text: '⚠ ' },
    `${server} wrote ${noise.count} lines to stdout that are not MCP messages. The last ones:`,
  );
  for (const line of noise.lines) out.note({ style: 'faint', text: '  │ ' }, line);
}
