import { toPlugError, type PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Hub, ToolAudit, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { usage } from '../failures.ts';
import { DONE, faint, strong } from '../output.ts';
import { renderWithheld } from '../render/tool.ts';
import { confirm, listOf, type Flags, type HubSession, type OfServer, type Session } from '../session.ts';
import { canonicalRef, unknownTool } from '../tool-lookup.ts';

interface Refs {
  readonly refs: readonly string[];
}

export async function switchTools(
  { refs, enabled }: Refs & { readonly enabled: boolean },
  { hub, out }: HubSession,
): Promise<void> {
  const tools = await canonicalRefs(hub, refs);
  for (const ref of tools) {
    await withTool(hub, ref, () => hub.tools.setEnabled({ ref, enabled }));
    out.line(DONE, `${ref} is ${enabled ? 'offered again' : 'disabled'}.`);
  }
  out.document({ tools, enabled });
}

export async function setToolRisk(
  { ref: typed, risk }: { readonly ref: string; readonly risk: ToolView['risk'] | 'auto' },
  { hub, out }: HubSession,
): Promise<void> {
  const ref = await canonicalRef(hub, typed);
  await withTool(hub, ref, () => hub.tools.setRisk(risk === 'auto' ? { ref } : { ref, risk }));
  out.document({ tool: ref, risk });
  const auto = 'has automatic risk again';
  out.line(DONE, `${ref} ${risk === 'auto' ? auto : `now counts as ${risk}`}.`);
}

export async function approveTools(args: Refs & Flags<'yes'>, session: HubSession): Promise<ExitCode> {
  const { refs, yes } = args;
  const { hub, out } = session;
  const approved: string[] = [];
  for (const ref of await canonicalRefs(hub, refs)) {
    const { withheld } = await hub.tools.list({ server: serverIn(ref) });
    const changed = withheld.find((tool) => tool.ref === ref);
    if (changed) renderWithheld(changed, out);
    if (!(await confirm(session, `Approve ${ref} as it is now?`, yes))) continue;
    // What was looked at is approved: the server may have changed it again meanwhile.
    const shown = changed?.hash === undefined ? {} : { hash: changed.hash };
    await withTool(hub, ref, () => hub.tools.approve({ ref, ...shown }));
    approved.push(ref);
    out.line(DONE, `${ref} is approved as it is now. If it changes, it needs approval again.`);
  }
  out.document({ approved });
  return approved.length === refs.length ? exitCodes.ok : exitCodes.failed;
}

export async function confirmTool(
  { ref: typed, position }: { readonly ref: string; readonly position: 'on' | 'off' },
  { hub, out }: HubSession,
): Promise<void> {
  const asks = position === 'on';
  const ref = await canonicalRef(hub, typed);
  const done = await withTool(hub, ref, () => (asks ? makeAsk(hub, ref) : makeQuiet(hub, ref)));
  out.document({ tool: ref, asks, done });
  out.line(DONE, `${ref} ${asks ? 'asks before every call' : 'runs without asking'}: ${done}`);
}

/** Its grants go; and what reads on a trusted server is counted as unknown, which asks. */
async function makeAsk(hub: Hub, ref: string): Promise<string> {
  const tool = await audited(hub, ref);
  const grants = (await hub.grants.list({ server: tool.server })).filter(
    ({ scope, serverId }) => serverId === tool.server && 'tool' in scope && scope.tool === tool.name,
  );
  for (const { id } of grants) await hub.grants.revoke({ id });
  const revoked = grants.length > 0 ? `revoked ${grants.map(({ id }) => id).join(', ')}` : '';
  const reads = (await hub.grants.list({ server: tool.server })).some(({ scope }) => scope.kind === 'reads');
  if (tool.confirm !== 'allow' && !(reads && tool.risk === 'read')) return `${revoked || 'it did already'}.`;
  await hub.tools.setRisk({ ref, risk: 'unknown' });
  return `${revoked === '' ? '' : `${revoked}, and `}it now counts as unknown. To undo: plug tools risk ${ref} auto`;
}

async function makeQuiet(hub: Hub, ref: string): Promise<string> {
  const before = await audited(hub, ref);
  if (before.riskFrom === 'override' && before.risk === 'unknown') await hub.tools.setRisk({ ref });
  if ((await audited(hub, ref)).confirm === 'allow')
    return 'read-only tools of a trusted server run without asking.';
  const { id, says } = await hub.grants.add({ tool: ref });
  return `${says}. To undo: plug grants revoke ${id}`;
}

function serverIn(ref: string): string {
  return ref.split('/', 1)[0] ?? '';
}

async function audited(hub: Hub, ref: string): Promise<ToolAudit['servers'][number]['tools'][number]> {
  const { servers } = await hub.tools.audit({ server: serverIn(ref) });
  const tool = servers.flatMap(({ tools }) => tools).find((one) => one.ref === ref);
  if (tool) return tool;
  throw await unknownTool(hub, ref);
}

function canonicalRefs(hub: Hub, typed: readonly string[]): Promise<readonly string[]> {
  return Promise.all(typed.map((one) => canonicalRef(hub, one)));
}

async function withTool<T>(hub: Hub, ref: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, details } = toPlugError(error);
    if (code !== 'not_found' || details?.['suggestions'] !== undefined) throw error;
    throw await unknownTool(hub, ref);
  }
}

const ANSWERS: Readonly<Record<string, ToolView['risk']>> = { r: 'read', w: 'write', d: 'destructive' };

export async function reviewTools(of: OfServer, session: HubSession): Promise<void> {
  const { hub, out } = session;
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
  const count = Object.keys(decided).length;
  const left = unknown.length - count;
  out.document({ decided, left });
  const summary = `${count} decided, ${left} left; tools of unknown risk ask before every call.`;
  out.line(DONE, unknown.length === 0 ? 'No tools of unknown risk.' : summary);
}

/** Anything but the letters keeps it unknown, which is the careful answer. */
async function ask({ terminal, clock, signal }: Session): Promise<string> {
  const question = 'Read, write, destructive or off? s skips, q quits [r/w/d/o/S/q] ';
  const key = await terminal.askKey(question, { clock, signal });
  return key === 'escape' || key === 'interrupt' ? 'q' : key;
}

function showTool(tool: ToolView, place: string, { out }: Session): void {
  out.note('');
  out.note(strong(tool.ref), faint(` (${place})`));
  out.note(faint('  says       '), tool.description ?? tool.title ?? 'no description');
  const schema = tool.definition['inputSchema'];
  const names = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  out.note(faint('  arguments  '), names.join(', ') || 'none');
  for (const { field, detail } of tool.flags) out.note({ style: 'bad', text: '  ⚑ ' }, `${field}: ${detail}`);
}

function needsTerminal(unknown: readonly ToolView[]): PlugError {
  const refs = unknown.map(({ ref }) => ref);
  return usage(
    `A review needs a terminal. ${refs.length} tools are of unknown risk.`,
    `plug tools risk ${refs[0] ?? 'SERVER/TOOL'} read|write|destructive`,
    { tools: refs },
  );
}
