import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../base/faults.ts';

/**
 * Lets somebody read each connection of a server first. What they give away goes where it would have
 * gone at once.
 */
export function readBefore(server: Server, read: (socket: Socket, giveAway: () => void) => void): void {
  const byNode = server.listeners('connection');
  server.removeAllListeners('connection');
  const take = (socket: Socket): void =>
    read(socket, () => {
      for (const listener of byNode) Reflect.apply(listener, server, [socket]);
    });
  server.on(
    'connection',
    guarded('a connection', take, (socket) => socket.destroy()),
  );
}
