import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { listener, port } = await takePort();
  listener.close();
  await once(listener, 'close');
  return port;
}

/** A port with somebody else on it. */
export async function takePort(): Promise<{ readonly listener: Server; readonly port: number }> {
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { listener, port: (listener.address() as AddressInfo).port }; // it listens on TCP
}
