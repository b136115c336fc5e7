import { defined } from '../../base/defined.ts';
import { toPlugError } from '../../base/errors.ts';
import type { GrantView, Hub, NewGrant } from '../../hub/hub.ts';
import { unknownWord, usage, userError } from '../failures.ts';
import { parsePattern, parseUntil } from '../option-values.ts';
import { DONE, WARNING, faint, strong, type Piece } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { shortMoment } from '../render/text.ts';
import { listOf, withServerName } from '../session.ts';
import type { Flags, HubSession, OfServer, Texts } from '../session.ts';
import { canonicalRef, unknownTool } from '../tool-lookup.ts';

export async function listGrants(of: OfServer, { hub, out }: HubSession): Promise<void> {
  const grants = await listOf(hub, of, () => hub.grants.list(of));
  if (out.document({ grants })) return;
  const columns = ['GRANT', flexible('ALLOWS'), 'LASTS', flexible('FROM')];
  printTable(out, columns, grants.map(rowOf), 'No grants.', 'Next: plug grants add SERVER/TOOL');
  if (grants.length === 0) return;
  for (const { id, stale } of grants) {
    if (stale !== undefined) out.note(WARNING, `${id} no longer applies: ${stale}`);
  }
  out.note(faint('To revoke one: plug grants revoke ID'));
}

function rowOf(grant: GrantView): readonly Piece[] {
  const { id, says, stale, source } = grant;
  return stale === undefined
    ? [strong(id), says, lasts(grant), faint(source)]
    : [strong(id), faint(says), faint('void'), faint(source)];
}

function lasts({ session, until, scope }: GrantView): string {
  if (scope.kind === 'once') return 'once';
  if (until !== undefined) return `until ${shortMoment(until)}Z`;
  return session ? 'until the hub stops' : 'until revoked';
}

interface AddGrantArgs extends Texts<'until' | 'argsHash' | 'account'>, Flags<'session' | 'once'> {
  readonly tool: string;
  readonly args?: readonly string[];
}

export async function addGrant(typed: AddGrantArgs, { hub, out, clock }: HubSession): Promise<void> {
  const given = { ...typed, tool: await canonicalRef(hub, typed.tool) };
  checkScope(given);
  const { args, until, ...rest } = given;
  const pattern = args && parsePattern(args);
  const end = until === undefined ? undefined : parseUntil(until, clock.now());
  const grant = await add(hub, { ...rest, ...defined({ args: pattern, until: end }) });
  out.document({ grant });
  out.line(DONE, `Granted: ${grant.says}.`);
  out.line(faint(`To revoke it: plug grants revoke ${grant.id}`));
}

function checkScope({ tool, args, once, argsHash }: AddGrantArgs): void {
  if (!tool.includes('/') && (args !== undefined || once)) {
    const message = 'A server alone grants all its reads: --args and --once need a tool.';
    throw usage(message, `plug grants add ${tool}/TOOL`);
  }
  if (argsHash !== undefined && !once) {
    throw userError('usage', '--args-hash goes with --once.', {
      remedy: { do: 'help', topic: 'grants add' },
    });
  }
}

async function add(hub: Hub, request: NewGrant): Promise<GrantView> {
  const server = request.tool.split('/', 1)[0] ?? '';
  try {
    return await withServerName(hub, server, () => hub.grants.add(request));
  } catch (error) {
    const { code, details } = toPlugError(error);
    if (code !== 'not_found' || details?.['suggestions'] !== undefined || !request.tool.includes('/'))
      throw error;
    throw await unknownTool(hub, request.tool);
  }
}

export async function revokeGrants(
  { ids }: { readonly ids: readonly string[] },
  { hub, out }: HubSession,
): Promise<void> {
  for (const id of ids) {
    const grants = await hub.grants.list();
    const grant = grants.find((one) => one.id === id);
    const known = grants.map((one) => one.id);
    const remedy = { do: 'show', what: 'grants' } as const;
    if (!grant) throw unknownWord(`There is no grant “${id}”.`, { word: id, known, remedy });
    await hub.grants.revoke({ id });
    out.line(DONE, `Revoked: ${grant.says}.`);
  }
  out.document({ revoked: ids });
}
