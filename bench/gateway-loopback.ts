/** Loaded before a peer that listens on every address: here it may only listen on this machine. */
import { Server } from 'node:net';

// oxlint-disable-next-line typescript/unbound-method -- it is called on its server below.
const { listen } = Server.prototype;
Server.prototype.listen = function onLoopback(this: Server, ...given: unknown[]): Server {
  const [port, ...others] = given;
  const callback = others.findLast((each) => typeof each === 'function');
  return Reflect.apply(listen, this, [Number(port), '127.0.0.1', callback]);
} as typeof listen; // only the form that the peer uses
