import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { peerOf, type Peer } from '../../src/base/peer-owner.ts';

/** A connection of this very process to itself, as its far end is seen. It closes when the test ends. */
export async function ownPeer(from = '127.0.0.1'): Promise<Peer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const far = connect({ port, host: '127.0.0.1', localAddress: from });
  await once(far, 'connect');
  const [near] = await accepted;
  onTestFinished(() => {
    far.destroy();
    near.destroy();
    server.close();
  });
  const peer = peerOf(near);
  if (!peer) throw new Error('The connection has closed.');
  return peer;
}
