import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { withServerName, type Session } from '../session.ts';

/** `plug logs`: what a server wrote to stderr, and what it wrote to stdout by mistake. */
export async function logs(
  hub: Hub,
  { name, lines }: { readonly name: string; readonly lines: number },
  { out }: Session,
): Promise<ExitCode> {
  const log = await withServerName(hub, name, () => hub.servers.logs(name, { lines }));
  out.document(log);
  if (out.json) return exitCodes.ok;
  for (const line of log.stderr) out.line(line);
  if (log.noise.count > 0) {
    out.note(
      { style: 'warn', text: '⚠ ' },
      `${name} wrote ${log.noise.count} lines to stdout that are not MCP messages. The last ones:`,
    );
    for (const line of log.noise.lines) out.note({ style: 'faint', text: '  │ ' }, line);
  }
  if (log.stderr.length === 0 && log.noise.count === 0) out.note(`${name} has written nothing.`);
  return exitCodes.ok;
}
