import { PlugError, toPlugError } from '../../base/errors.ts';
import type { GrantView, Hub, NewGrant } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { parseUntil } from '../moments.ts';
import { parsePattern } from '../patterns.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { withServerName, type Session } from '../session.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { unknownTool } from '../tool-lookup.ts';

/** `plug grants list`: what may run without asking, in words. */
export async function listGrants(
  hub: Hub,
  { server }: { readonly server: string | undefined },
  { out }: Session,
): Promise<ExitCode> {
  const grants = await withServerName(hub, server ?? '', async () => {
    if (server !== undefined) await hub.servers.get(server);
    return await hub.grants.list(server === undefined ? {} : { server });
  });
  out.document({ grants });
  if (out.json) return exitCodes.ok;
  if (grants.length === 0) {
    out.line('Nothing is granted.');
    out.line('Next: plug grants add SERVER/TOOL');
    return exitCodes.ok;
  }
  const columns = [
    { title: 'GRANT' },
    { title: 'ALLOWS', flexible: true },
    { title: 'LASTS' },
    { title: 'FROM', flexible: true },
  ];
  for (const line of renderTable({ columns, rows: grants.map(rowOf), width: out.width })) out.line(...line);
  for (const { id, stale } of grants) {
    if (stale !== undefined)
      out.note({ style: 'warn', text: '⚠ ' }, `${id} does not hold any more: ${stale}`);
  }
  out.note({ style: 'faint', text: 'Take one back with plug grants revoke ID.' });
  return exitCodes.ok;
}

function rowOf(grant: GrantView): readonly Cell[] {
  const style = grant.stale === undefined ? {} : { style: 'faint' as const };
  return [
    { text: grant.id, style: 'strong' },
    { text: grant.says, ...style },
    { text: grant.stale === undefined ? lasts(grant) : 'void', ...style },
    { text: grant.source, style: 'faint' },
  ];
}

function lasts({ session, until, scope }: GrantView): string {
  if (scope.kind === 'once') return 'once';
  if (until !== undefined) return `until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  return session ? 'until the hub stops' : 'until revoked';
}

export interface AddGrantArgs {
  readonly tool: string;
  readonly args: readonly string[];
  readonly until: string | undefined;
  readonly session: boolean;
  readonly once: boolean;
  readonly argsHash: string | undefined;
}

/** `plug grants add`: says in words what was granted, and how to take it back. */
export async function addGrant(hub: Hub, given: AddGrantArgs, { out, clock }: Session): Promise<ExitCode> {
  const { tool, args, until, session, once, argsHash } = given;
  checkScope(given);
  const request: NewGrant = {
    tool,
    ...(args.length > 0 ? { args: parsePattern(args) } : {}),
    ...(until === undefined ? {} : { until: parseUntil(until, clock.now()) }),
    ...(session ? { session } : {}),
    ...(once ? { once } : {}),
    ...(argsHash === undefined ? {} : { argsHash }),
  };
  const grant = await add(hub, request);
  out.document({ grant });
  out.line({ style: 'good', text: '✔ ' }, `Granted: ${grant.says}.`);
  out.line({ style: 'faint', text: `Take it back with plug grants revoke ${grant.id}.` });
  return exitCodes.ok;
}

function checkScope({ tool, args, once, argsHash }: AddGrantArgs): void {
  if (!tool.includes('/') && (args.length > 0 || once)) {
    throw new PlugError('usage', 'A server alone grants all its reads: --args and --once need a tool.', {
      owner: 'you',
      next: `plug grants add ${tool}/TOOL`,
    });
  }
  if (argsHash !== undefined && !once) {
    throw new PlugError('usage', '--args-hash goes with --once.', {
      owner: 'you',
      next: 'plug help grants add',
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
      const near = suggest(
        id,
        grants.map((one) => one.id),
      );
      throw new PlugError('not_found', `There is no grant “${id}”. ${didYouMean(near)}`.trim(), {
        owner: 'you',
        next: 'plug grants list',
        details: { suggestions: near },
      });
    }
    await hub.grants.revoke(id);
    out.line({ style: 'good', text: '✔ ' }, `Revoked: ${grant.says}.`);
  }
  out.document({ revoked: ids });
  return exitCodes.ok;
}
