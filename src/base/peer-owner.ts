import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import { isOurs } from './private-files.ts';

/** Both ends of a TCP connection on this machine; `own` is where we listen. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly ownAddress: string;
  readonly ownPort: number;
}

/** What of a socket names its two ends; a socket that has closed names neither. */
interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

export function peerOf(socket: Ends): Peer | undefined {
  const { remoteAddress: address, remotePort: port, localAddress: ownAddress, localPort: ownPort } = socket;
  if (address === undefined || port === undefined) return undefined;
  return ownAddress === undefined || ownPort === undefined
    ? undefined
    : { address, port, ownAddress, ownPort };
}

/**
 * Whether the program at the other end runs as our user. Every user of a machine can connect to its
 * loopback addresses, from any of 127.0.0.0/8, and can read the arguments of programs that open links.
 *
 * Linux says which user a connection belongs to. There the answer is no when the owner cannot be found.
 * Other systems do not say it, so the answer is yes there, and links have to be kept secret instead.
 */
export async function isOwnPeer(
  peer: Peer | undefined,
  tables: readonly string[] = TABLES,
): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  if (!peer) return false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const table of tables) {
      const owner = ownerIn(await readFile(table, 'latin1').catch(() => ''), peer);
      // Root needs no link. Relays between machines run as root, such as that of a Windows browser and WSL.
      if (owner !== undefined) return owner === 0 || isOurs(owner);
    }
  }
  return false;
}

/** A program that uses IPv6 reaches an IPv4 address too, and is then in the second table. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** The kernel writes a table in parts: a line can be missed while other connections come and go. */
const ATTEMPTS = 3;

/** The user of the other end, as one of the kernel's tables of connections has it. */
export function ownerIn(table: string, peer: Peer): number | undefined {
  const from = placesOf(peer.address, peer.port);
  const to = placesOf(peer.ownAddress, peer.ownPort);
  for (const line of table.split('\n')) {
    const cells = line.trim().split(/\s+/);
    const [, local = '', remote = ''] = cells;
    const at = from.indexOf(local);
    // Both ends are written in the same family. A socket that its program has closed belongs to nobody.
    if (at === -1 || to[at] !== remote || cells[INODE] === '0') continue;
    const owner = Number(cells[OWNER] ?? Number.NaN);
    return Number.isInteger(owner) ? owner : undefined;
  }
  return undefined;
}

const OWNER = 7;
const INODE = 9;

/** How the tables write an address and a port: as IPv4 if it can be, and as IPv6. */
function placesOf(address: string, port: number): readonly (string | undefined)[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const v4 = v4Of(address);
  const bytes = v4 ? [...MAPPED, ...v4] : v6Of(address);
  return [v4 && `${hexOf(v4)}${ending}`, bytes && `${hexOf(bytes)}${ending}`];
}

/** Also one that is written as an IPv6 address (RFC 4291 §2.5.5.2). */
function v4Of(address: string): readonly number[] | undefined {
  const plain = address.replace(/^::ffff:/i, '');
  return isIPv4(plain) ? plain.split('.').map(Number) : undefined;
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** As Node writes addresses: groups in hexadecimal, at most one “::”, perhaps a zone behind “%”. */
function v6Of(address: string): readonly number[] | undefined {
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const groups = (text: string | undefined): readonly string[] => (text ? text.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after];
  if (all.length !== 8 || !all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return all.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff]);
}

/** The kernel prints each four bytes as one number of the machine. */
function hexOf(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.slice(at * 4, at * 4 + 4));
  const ordered = endianness() === 'LE' ? words.map((word) => word.toReversed()) : words;
  return ordered
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}
