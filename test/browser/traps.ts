import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Somebody who listens on this machine, and counts what reaches them. */
export interface Trap {
  readonly udp: number;
  readonly tcp: number;
  /**
   * How many datagrams and pieces of text came. A connection alone does not count: a browser opens one
   * for a page that it will not load, before it has looked at what forbids it.
   */
  readonly heard: () => number;
}

export async function setTrap(): Promise<Trap> {
  let count = 0;
  const socket = createSocket('udp4', () => (count += 1));
  socket.bind(0, '127.0.0.1');
  const peers = new Set<Socket>();
  const server = createServer((peer) => {
    peers.add(peer);
    peer.on('error', () => undefined);
    peer.on('data', () => {
      count += 1;
      peer.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await Promise.all([once(socket, 'listening'), once(server, 'listening')]);
  onTestFinished(() => {
    socket.close();
    for (const peer of peers) peer.destroy();
    server.close();
  });
  // An address of a listener on a port is never a text.
  return { udp: socket.address().port, tcp: (server.address() as AddressInfo).port, heard: () => count };
}

/** A script that knocks at the trap: STUN over UDP, TURN over TCP. */
export function knock({ udp, tcp }: Trap): string {
  return `var p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' },
    { urls: 'turn:127.0.0.1:${tcp}?transport=tcp', username: 'a', credential: 'b' }] });
    p.createDataChannel('x'); p.createOffer().then(function (o) { return p.setLocalDescription(o); });`;
}
