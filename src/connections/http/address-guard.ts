import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { buildConnector } from 'undici';
import { PlugError } from '../../base/errors.ts';

/** Asked before an IP address is dialed: a sentence refuses it. */
export type AddressGuard = (ip: string) => string | undefined;

/** For addresses that others have named. */
export const publicOnly: AddressGuard = (ip) => (isPublic(ip) ? undefined : `${ip} is not a public address.`);

/** Checks a literal IP; names are checked when they are resolved. */
export function checkLiteral(guard: AddressGuard | undefined, url: URL): void {
  const host = bare(url.hostname);
  if (guard !== undefined && isIP(host) !== 0) pass(guard, host, host);
}

/**
 * Resolves a name once, checks every address, and dials a checked one: a hook on the resolver alone
 * would miss literals, and a second lookup could answer differently.
 */
export function guardedConnector(
  guard: AddressGuard,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    const host = bare(target.hostname);
    const dial = async (): Promise<void> => {
      let ip: string;
      try {
        ip = await checkedAddress(guard, host);
      } catch (error) {
        return callback(error instanceof Error ? error : new Error(String(error)), null);
      }
      if (ip === host) return connect(target, callback);
      // The certificate must still be that of the name.
      return connect({ ...target, hostname: ip, servername: target.servername || host }, callback);
    };
    void dial();
  };
}

async function checkedAddress(guard: AddressGuard, host: string): Promise<string> {
  if (isIP(host) !== 0) {
    pass(guard, host, host);
    return host;
  }
  const found = await lookup(host, { all: true });
  // One refused address is enough: a name that mixes them is a trap.
  for (const { address } of found) pass(guard, address, host);
  const first = found[0];
  if (first === undefined) throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' });
  return first.address;
}

function pass(guard: AddressGuard, ip: string, host: string): void {
  const refused = guard(ip);
  if (refused === undefined) return;
  throw new PlugError('denied', `${host} may not be contacted: ${refused}`, {
    owner: 'server',
    details: { host, address: ip },
  });
}

function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Addresses that are not public: RFC 6890 and its successors, multicast, documentation. */
const closedV4 = subnets(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);

/** Of IPv6 only global unicast is public, without the documentation, tunnel and translation ranges. */
const openV6 = subnets('ipv6', '2000::/3');
const closedV6 = subnets('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20');

function subnets(family: 'ipv4' | 'ipv6', ...lines: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of lines.join(' ').split(' ')) {
    const [net = '', bits] = subnet.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}

function isPublic(ip: string): boolean {
  if (!isIPv6(ip)) return isIP(ip) === 4 && !closedV4.check(ip, 'ipv4');
  return openV6.check(ip, 'ipv6') && !closedV6.check(ip, 'ipv6');
}
