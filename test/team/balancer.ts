import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Balancer extends AsyncDisposable {
  readonly port: number;
  readonly targets: number[];
}

/** Passes each connection to the next target that takes it, as a balancer in front of replicas does. */
export async function startBalancer(): Promise<Balancer> {
  const targets: number[] = [];
  const open = new Set<Socket>();
  let next = 0;
  const passOn = (socket: Socket, tried: number): void => {
    const port = targets[next++ % targets.length];
    if (port === undefined || tried >= targets.length) return void socket.destroy();
    const target = connect(port, '127.0.0.1');
    let isThrough = false;
    target.on('connect', () => {
      isThrough = true;
      socket.pipe(target);
      target.pipe(socket);
    });
    // A target that takes nobody is passed over; one that breaks, breaks those it had taken.
    target.on('error', () => (isThrough ? socket.destroy() : passOn(socket, tried + 1)));
    target.on('close', () => isThrough && socket.destroy());
    socket.on('close', () => target.destroy());
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
    passOn(socket, 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    port,
    targets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
