import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Hub, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { withServerName, type Session } from '../session.ts';

const ANSWERS: Readonly<Record<string, ToolView['risk']>> = { r: 'read', w: 'write', d: 'destructive' };

/** `plug tools --review`: all tools of unknown risk, one after the other. */
export async function reviewTools(
  hub: Hub,
  { server }: { readonly server: string | undefined },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  const { servers } = await withServerName(hub, server ?? '', async () => {
    if (server !== undefined) await hub.servers.get(server);
    return await hub.tools.audit(server === undefined ? {} : { server });
  });
  const unknown = servers
    .flatMap(({ tools }) => tools)
    .filter((tool) => tool.risk === 'unknown' && tool.enabled);
  if (unknown.length > 0 && !session.terminal.interactive) throw needsTerminal(unknown);
  const decided: Record<string, string> = {};
  for (const [index, tool] of unknown.entries()) {
    showTool(tool, `${index + 1} of ${unknown.length}`, session);
    const answer = await ask(session);
    if (answer === 'q') break;
    const risk = ANSWERS[answer];
    if (risk !== undefined) {
      await hub.tools.setRisk(tool.ref, risk);
      decided[tool.ref] = risk;
    } else if (answer === 'o') {
      await hub.tools.setEnabled(tool.ref, false);
      decided[tool.ref] = 'off';
    }
  }
  const left = unknown.length - Object.keys(decided).length;
  out.document({ decided, left });
  out.line(
    { style: 'good', text: '✔ ' },
    unknown.length === 0
      ? 'There is no tool of unknown risk.'
      : `${Object.keys(decided).length} decided, ${left} left; what is unknown asks before every call.`,
  );
  return exitCodes.ok;
}

/** Anything but the letters keeps it unknown, which is the careful answer. */
async function ask({ terminal, clock, signal }: Session): Promise<string> {
  const question = 'It reads, writes, destroys, goes off; s skips, q ends [r/w/d/o/S/q] ';
  const key = await terminal.askKey(question, { clock, signal });
  return key === 'escape' || key === 'interrupt' ? 'q' : key;
}

function showTool(tool: ToolView, place: string, { out }: Session): void {
  out.note('');
  out.note({ style: 'strong', text: tool.ref }, { style: 'faint', text: ` (${place})` });
  out.note(
    { style: 'faint', text: '  says       ' },
    tool.description ?? tool.title ?? 'nothing about itself',
  );
  const schema = tool.definition['inputSchema'];
  const names = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  out.note({ style: 'faint', text: '  arguments  ' }, names.join(', ') || 'none');
  for (const { field, detail } of tool.flags) out.note({ style: 'bad', text: '  ⚑ ' }, `${field}: ${detail}`);
}

function needsTerminal(unknown: readonly ToolView[]): PlugError {
  const refs = unknown.map(({ ref }) => ref);
  return new PlugError('usage', `A review needs a terminal. ${refs.length} tools are of unknown risk.`, {
    owner: 'you',
    next: `plug tools risk ${refs[0] ?? 'SERVER/TOOL'} read|write|destructive`,
    details: { tools: refs },
  });
}
