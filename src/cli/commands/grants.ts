import { toPlugError } from '../../base/errors.ts';
import type { GrantView, Hub, NewGrant } from '../../hub/hub.ts';
import { unknownWord, usage, userError } from '../failures.ts';
import { parseUntil } from '../moments.ts';
import { DONE, WARNING, faint, strong, type Piece } from '../output.ts';
import { parsePattern } from '../patterns.ts';
import { flexible, printTable } from '../render/table.ts';
import { listOf, withServerName, type HubSession, type OfServer } from '../session.ts';
import { canonicalRef, unknownTool } from '../tool-lookup.ts';

export async function listGrants(of: OfServer, { hub, out }: HubSession): Promise<void> {
  const grants = await listOf(hub, of, () => hub.grants.list(of));
  out.document({ grants });
  if (out.json) return;
  if (grants.length === 0) {
    out.line('Nothing is granted.');
    out.line('Next: plug grants add SERVER/TOOL');
    return;
  }
  const columns = ['GRANT', flexible('ALLOWS'), 'LASTS', flexible('FROM')];
  printTable(out, columns, grants.map(rowOf));
  for (const { id, stale } of grants) {
    if (stale !== undefined) out.note(WARNING, `${id} does not hold any more: ${stale}`);
  }
  out.note(faint('Take one back with plug grants revoke ID.'));
}

function rowOf(grant: GrantView): readonly Piece[] {
  const { id, says, stale, source } = grant;
  return stale === undefined
    ? [strong(id), says, lasts(grant), faint(source)]
    : [strong(id), faint(says), faint('void'), faint(source)];
}

function lasts({ session, until, scope }: GrantView): string {
  if (scope.kind === 'once') return 'once';
  if (until !== undefined) return `until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  return session ? 'until the hub stops' : 'until revoked';
}

export interface AddGrantArgs {
  readonly tool: string;
  readonly args?: readonly string[];
  readonly until?: string;
  readonly session?: boolean;
  readonly once?: boolean;
  readonly argsHash?: string;
  readonly account?: string;
}

export async function addGrant(typed: AddGrantArgs, { hub, out, clock }: HubSession): Promise<void> {
  const given = { ...typed, tool: await canonicalRef(hub, typed.tool) };
  checkScope(given);
  const { args, until, ...rest } = given;
  const request: NewGrant = {
    ...rest,
    ...(args === undefined ? {} : { args: parsePattern(args) }),
    ...(until === undefined ? {} : { until: parseUntil(until, clock.now()) }),
  };
  const grant = await add(hub, request);
  out.document({ grant });
  out.line(DONE, `Granted: ${grant.says}.`);
  out.line(faint(`Take it back with plug grants revoke ${grant.id}.`));
}

function checkScope({ tool, args, once, argsHash }: AddGrantArgs): void {
  if (!tool.includes('/') && (args !== undefined || once)) {
    throw usage(
      'A server alone grants all its reads: --args and --once need a tool.',
      `plug grants add ${tool}/TOOL`,
    );
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
    if (!grant) {
      throw unknownWord(`There is no grant “${id}”.`, {
        word: id,
        known: grants.map((one) => one.id),
        remedy: { do: 'show', what: 'grants' },
      });
    }
    await hub.grants.revoke({ id });
    out.line(DONE, `Revoked: ${grant.says}.`);
  }
  out.document({ revoked: ids });
}
