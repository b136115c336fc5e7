import type { HostView, NewHost } from '../../hub/hub.ts';
import { DONE, faint, strong } from '../output.ts';
import { shortMoment } from '../render/text.ts';
import { flexible, printTable } from '../render/table.ts';
import type { HubSession, Names } from '../session.ts';

interface AddHostArgs extends Omit<NewHost, 'opens'> {
  readonly api?: boolean;
}

export async function addHost({ api, ...given }: AddHostArgs, { hub, out }: HubSession): Promise<void> {
  const { host, token } = await hub.hosts.add({ ...given, ...(api ? { opens: 'api' } : {}) });
  const base = (await hub.status()).url ?? '';
  if (api) return printApiToken({ host, token, url: base }, out);
  const url = `${base}/mcp`;
  const plugboard = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  const config = { mcpServers: { plugboard } };
  if (out.document({ host, token, url, config })) return;
  out.line(DONE, `${host.name} can use the gateway${boundWords(host)}.`);
  out.line(faint('  address  '), url);
  out.line(faint('  token    '), token);
  out.line('Copy its token now: it’s shown only once. For a host’s config file:');
  for (const line of JSON.stringify(config, undefined, 2).split('\n')) out.line(`  ${line}`);
  out.line(faint('To revoke it: '), `plug host revoke ${host.name}`);
}

function printApiToken(
  { host, token, url }: { readonly host: HostView; readonly token: string; readonly url: string },
  out: HubSession['out'],
): void {
  if (out.document({ host, token, url })) return;
  out.line(DONE, `${host.name} can use the hub’s API.`);
  out.line(faint('  address  '), url);
  out.line(faint('  token    '), token);
  out.line('Copy its token now: it’s shown only once. It can do everything you can: keep it private.');
  out.line(faint('To revoke it: '), `plug host revoke ${host.name}`);
}

function boundWords({ profile, readOnly }: HostView): string {
  const bound = profile === undefined ? '' : `, limited to the profile ${profile}`;
  return `${bound}${readOnly ? ', read-only' : ''}`;
}

export async function listHosts({ hub, out }: HubSession): Promise<void> {
  const hosts = await hub.hosts.list();
  out.document({ hosts });
  printTable(
    out,
    ['HOST', 'PROFILE', 'MODE', 'ADDED (UTC)', 'LAST USED (UTC)'].map(flexible),
    hosts.map((host) => [
      strong(host.name),
      host.profile ?? 'all',
      host.opens === 'api' ? 'API' : host.readOnly ? 'read-only' : '',
      faint(shortMoment(host.createdAt)),
      faint(host.lastUsedAt === undefined ? 'never' : shortMoment(host.lastUsedAt)),
    ]),
    'No host has a token. Hosts that start “plug gateway” need none.',
    'Next: plug host add NAME',
  );
}

export async function revokeHosts({ names }: Names, { hub, out }: HubSession): Promise<void> {
  for (const name of names) {
    await hub.hosts.revoke({ name });
    out.line(DONE, `Revoked the token of ${name}.`);
  }
  out.document({ revoked: names });
}
