import type { Hub, HostView, NewHost } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { printTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { DONE, faint, strong, type Piece } from '../output.ts';

/** `plug host add`: a token for one host, told this once. */
export async function addHost(hub: Hub, given: NewHost, { out }: Session): Promise<ExitCode> {
  const { host, token } = await hub.hosts.add(given);
  const { url } = await hub.status();
  const address = `${url ?? ''}/mcp`;
  const config = {
    mcpServers: {
      plugboard: { type: 'http', url: address, headers: { Authorization: `Bearer ${token}` } },
    },
  };
  out.document({ host, token, url: address, config });
  if (out.json) return exitCodes.ok;
  out.line(DONE, `${host.name} may come to the gateway${boundWords(host)}.`);
  out.line(faint('  address  '), address);
  out.line(faint('  token    '), token);
  out.line('Its token is shown this once. For a host that reads a file of servers:');
  for (const line of JSON.stringify(config, undefined, 2).split('\n')) out.line(`  ${line}`);
  out.line(faint('Take it back with '), `plug host revoke ${host.name}`);
  return exitCodes.ok;
}

function boundWords({ profile, readOnly }: HostView): string {
  const words = [
    ...(profile === undefined ? [] : [`to the profile ${profile} alone`]),
    ...(readOnly ? ['for reads alone'] : []),
  ];
  return words.length === 0 ? '' : `, ${words.join(', ')}`;
}

/** `plug host list`: never the tokens; nobody knows them any more. */
export async function listHosts(hub: Hub, { out }: Session): Promise<ExitCode> {
  const hosts = await hub.hosts.list();
  out.document({ hosts });
  if (hosts.length === 0) {
    out.line('No host has a token. Hosts that start “plug gateway” need none.');
    out.line('Next: plug host add NAME');
    return exitCodes.ok;
  }
  const rows = hosts.map((host): readonly Piece[] => [
    strong(host.name),
    host.profile ?? 'all',
    host.readOnly ? 'read-only' : '',
    faint(momentOf(host.createdAt)),
    faint(host.lastUsedAt === undefined ? 'never' : momentOf(host.lastUsedAt)),
  ]);
  const columns = ['HOST', 'PROFILE', 'MODE', 'ADDED (UTC)', 'LAST USED (UTC)'].map((title) => ({
    title,
    flexible: true,
  }));
  printTable(out, columns, rows);
  return exitCodes.ok;
}

function momentOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** `plug host revoke` */
export async function revokeHosts(
  hub: Hub,
  { names }: { readonly names: readonly string[] },
  { out }: Session,
): Promise<ExitCode> {
  for (const name of names) {
    await hub.hosts.revoke({ name });
    out.line(DONE, `The token of ${name} opens nothing any more.`);
  }
  out.document({ revoked: names });
  return exitCodes.ok;
}
