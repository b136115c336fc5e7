import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { isOurs } from './private-files.ts';

/** Both ends of a TCP connection on this machine; `own` is where we listen. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly ownAddress: string;
  readonly ownPort: number;
}

export function peerOf(
  socket: Partial<Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>>,
): Peer | undefined {
  const { remoteAddress: address, remotePort: port, localAddress: ownAddress, localPort: ownPort } = socket;
  if (address === undefined || port === undefined) return undefined;
  if (ownAddress === undefined || ownPort === undefined) return undefined;
  return { address, port, ownAddress, ownPort };
}

/**
 * Whether the program at the other end runs as our user: every user of a machine can connect to its
 * loopback addresses, and can read the arguments of programs that open links. On Linux the answer is no
 * when the owner can't be found. Other systems don't tell, so it is yes there, and links must stay secret.
 */
export async function isOwnPeer(peer: Peer | undefined, tables = TABLES): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  if (!peer) return false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const table of tables) {
      const owner = ownerIn(await readFile(table, 'latin1').catch(() => ''), peer);
      // Root needs no link, and relays between machines run as root, such as WSL's for a Windows browser.
      if (owner !== undefined) return owner === 0 || isOurs(owner);
    }
  }
  return false;
}

/** A program that reaches an IPv4 address over IPv6 is in the second table. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** The kernel writes a table in parts: a line can be missed while other connections come and go. */
const ATTEMPTS = 3;

export function ownerIn(table: string, peer: Peer): number | undefined {
  const from = placesOf(peer.address, peer.port);
  const to = placesOf(peer.ownAddress, peer.ownPort);
  for (const line of table.split('\n')) {
    const cells = line.trim().split(/\s+/);
    const [, local = '', remote = ''] = cells;
    const at = from.indexOf(local);
    // Both ends are of the same family. A closed socket has no owner.
    if (at === -1 || to[at] !== remote || cells[INODE] === '0') continue;
    const owner = Number(cells[OWNER] ?? Number.NaN);
    return Number.isInteger(owner) ? owner : undefined;
  }
  return undefined;
}

const OWNER = 7;
const INODE = 9;

/** An address and port as the tables write them: as IPv4 if possible, and as IPv6. */
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
