import { PlugError, toPlugError } from '../../base/errors.ts';
import type { GrantView, Hub, NewGrant } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { parseUntil } from '../moments.ts';
import { parsePattern } from '../patterns.ts';
import { flexible, printTable } from '../render/table.ts';
import { listOf, withServerName, type OfServer, type Session } from '../session.ts';
import { unknownWord, usage } from '../failures.ts';
import { canonicalRef, unknownTool } from '../tool-lookup.ts';
import { DONE, WARNING, faint, strong, type Piece } from '../output.ts';

/** `plug grants list`: what may run without asking, in words. */
export async function listGrants(hub: Hub, of: OfServer, { out }: Session): Promise<ExitCode> {
  const grants = await listOf(hub, of, () => hub.grants.list(of));
  out.document({ grants });
  if (out.json) return exitCodes.ok;
  if (grants.length === 0) {
    out.line('Nothing is granted.');
    out.line('Next: plug grants add SERVER/TOOL');
    return exitCodes.ok;
  }
  const columns = ['GRANT', flexible('ALLOWS'), 'LASTS', flexible('FROM')];
  printTable(out, columns, grants.map(rowOf));
  for (const { id, stale } of grants) {
    if (stale !== undefined) out.note(WARNING, `${id} does not hold any more: ${stale}`);
  }
  out.note(faint('Take one back with plug grants revoke ID.'));
  return exitCodes.ok;
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

/** `plug grants add`: says in words what was granted, and how to take it back. */
export async function addGrant(hub: Hub, typed: AddGrantArgs, { out, clock }: Session): Promise<ExitCode> {
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
  return exitCodes.ok;
}

function checkScope({ tool, args, once, argsHash }: AddGrantArgs): void {
  if (!tool.includes('/') && (args !== undefined || once)) {
    throw usage(
      'A server alone grants all its reads: --args and --once need a tool.',
      `plug grants add ${tool}/TOOL`,
    );
  }
  if (argsHash !== undefined && !once) {
    throw new PlugError('usage', '--args-hash goes with --once.', {
      owner: 'you',
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

/** `plug grants revoke`: it asks again. */
export async function revokeGrants(
  hub: Hub,
  { ids }: { readonly ids: readonly string[] },
  { out }: Session,
): Promise<ExitCode> {
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
  return exitCodes.ok;
}
