import { toPlugError } from '../../base/errors.ts';
import type { Hub, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderWithheld } from '../render/tool.ts';
import { confirm, type Session } from '../session.ts';
import { canonicalRef, unknownTool } from '../tool-lookup.ts';
import { DONE } from '../output.ts';

/** `plug tools enable|disable SERVER/TOOL…`: the server goes on, this tool is offered or not. */
export async function switchTools(
  hub: Hub,
  { refs, enabled }: { readonly refs: readonly string[]; readonly enabled: boolean },
  { out }: Session,
): Promise<ExitCode> {
  const tools = await canonicalRefs(hub, refs);
  for (const ref of tools) {
    await withTool(hub, ref, () => hub.tools.setEnabled({ ref, enabled }));
    out.line(DONE, `${ref} is ${enabled ? 'offered again' : 'switched off'}.`);
  }
  out.document({ tools, enabled });
  return exitCodes.ok;
}

export type RiskWord = ToolView['risk'] | 'auto';

/** `plug tools risk SERVER/TOOL read|write|destructive|unknown|auto`. */
export async function setToolRisk(
  hub: Hub,
  { ref: typed, risk }: { readonly ref: string; readonly risk: RiskWord },
  { out }: Session,
): Promise<ExitCode> {
  const ref = await canonicalRef(hub, typed);
  await withTool(hub, ref, () => hub.tools.setRisk(risk === 'auto' ? { ref } : { ref, risk }));
  out.document({ tool: ref, risk });
  const says =
    risk === 'auto' ? 'is judged by its name and annotations again' : `counts as ${risk} from now on`;
  out.line(DONE, `${ref} ${says}.`);
  return exitCodes.ok;
}

/** `plug tools approve SERVER/TOOL…`: what changed is shown first, then pinned. */
export async function approveTools(
  hub: Hub,
  { refs, yes }: { readonly refs: readonly string[]; readonly yes?: boolean },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  const approved: string[] = [];
  for (const ref of await canonicalRefs(hub, refs)) {
    const { withheld } = await hub.tools.list({ server: ref.split('/', 1)[0] ?? '' });
    const changed = withheld.find((tool) => tool.ref === ref);
    if (changed) renderWithheld(changed, out);
    if (!(await confirm(session, `Approve ${ref} as it is now?`, yes))) continue;
    // What was looked at is approved: the server may have changed it again meanwhile.
    const shown = changed?.hash === undefined ? {} : { hash: changed.hash };
    await withTool(hub, ref, () => hub.tools.approve({ ref, ...shown }));
    approved.push(ref);
    out.line(DONE, `${ref} is approved as it is now; a change will ask again.`);
  }
  out.document({ approved });
  return approved.length === refs.length ? exitCodes.ok : exitCodes.failed;
}

/** `plug tools confirm SERVER/TOOL on|off`: whether a call of it asks. */
export async function confirmTool(
  hub: Hub,
  { ref: typed, position }: { readonly ref: string; readonly position: 'on' | 'off' },
  { out }: Session,
): Promise<ExitCode> {
  const asks = position === 'on';
  const ref = await canonicalRef(hub, typed);
  const done = await withTool(hub, ref, () => (asks ? makeAsk(hub, ref) : makeQuiet(hub, ref)));
  out.document({ tool: ref, asks, done });
  out.line(DONE, `${ref} ${asks ? 'asks before every call' : 'runs without asking'}: ${done}`);
  return exitCodes.ok;
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
  return `${revoked === '' ? '' : `${revoked}, and `}it counts as unknown now; plug tools risk ${ref} auto undoes that.`;
}

async function makeQuiet(hub: Hub, ref: string): Promise<string> {
  const before = await audited(hub, ref);
  if (before.riskFrom === 'override' && before.risk === 'unknown') await hub.tools.setRisk({ ref });
  if ((await audited(hub, ref)).confirm === 'allow') return 'what reads on a trusted server does.';
  const { id, says } = await hub.grants.add({ tool: ref });
  return `${says}; plug grants revoke ${id} undoes that.`;
}

async function audited(
  hub: Hub,
  ref: string,
): Promise<ToolView & { readonly confirm: 'allow' | 'ask' | 'deny' }> {
  const { servers } = await hub.tools.audit({ server: ref.split('/', 1)[0] ?? '' });
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
