import { readFile } from 'node:fs/promises';
import { isOurs } from '../../base/private-files.ts';

/** Both ends of a connection over the loopback address, by their ports. */
export interface Peer {
  readonly from: number;
  readonly to: number;
}

/**
 * Whether somebody else on this machine is at the other end. The link that opens the page is an argument
 * of the program that opens it in a browser, where every user of the machine can read it for a moment.
 * Linux says whose a connection is; elsewhere, and where it does not say, nobody is a stranger.
 */
export async function isStranger(peer: Peer, table = '/proc/net/tcp'): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  // A system without the table tells of nobody.
  const text = await readFile(table, 'latin1').catch(() => '');
  const owner = ownerIn(text, peer);
  // What root forwards, such as a relay between machines, is the person's own: root needs no link.
  return owner !== undefined && owner !== 0 && !isOurs(owner);
}

/** The user at the near end, as the kernel's table of connections has it. */
export function ownerIn(table: string, { from, to }: Peer): number | undefined {
  const line = table
    .split('\n')
    .map((each) => each.trim().split(/\s+/))
    .find(([, local, remote]) => local === loopback(from) && remote === loopback(to));
  const owner = Number(line?.[OWNER] ?? Number.NaN);
  return Number.isInteger(owner) ? owner : undefined;
}

const OWNER = 7;

/** As the table writes 127.0.0.1 on little-endian machines; on others nobody is found, and so no stranger. */
function loopback(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
