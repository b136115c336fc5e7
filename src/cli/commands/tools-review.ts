import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Hub, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { listOf, type OfServer, type Session } from '../session.ts';
import { DONE, faint, strong } from '../output.ts';

const ANSWERS: Readonly<Record<string, ToolView['risk']>> = { r: 'read', w: 'write', d: 'destructive' };

/** `plug tools --review`: all tools of unknown risk, one after the other. */
export async function reviewTools(hub: Hub, of: OfServer, session: Session): Promise<ExitCode> {
  const { out } = session;
  const { servers } = await listOf(hub, of, () => hub.tools.audit(of));
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
      await hub.tools.setRisk({ ref: tool.ref, risk });
      decided[tool.ref] = risk;
    } else if (answer === 'o') {
      await hub.tools.setEnabled({ ref: tool.ref, enabled: false });
      decided[tool.ref] = 'off';
    }
  }
  const left = unknown.length - Object.keys(decided).length;
  out.document({ decided, left });
  out.line(
    DONE,
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
  out.note(strong(tool.ref), faint(` (${place})`));
  out.note(faint('  says       '), tool.description ?? tool.title ?? 'nothing about itself');
  const schema = tool.definition['inputSchema'];
  const names = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  out.note(faint('  arguments  '), names.join(', ') || 'none');
  for (const { field, detail } of tool.flags) out.note({ style: 'bad', text: '  ⚑ ' }, `${field}: ${detail}`);
}

function needsTerminal(unknown: readonly ToolView[]): PlugError {
  const refs = unknown.map(({ ref }) => ref);
  return new PlugError('usage', `A review needs a terminal. ${refs.length} tools are of unknown risk.`, {
    owner: 'you',
    remedy: { do: 'type', line: `plug tools risk ${refs[0] ?? 'SERVER/TOOL'} read|write|destructive` },
    details: { tools: refs },
  });
}
