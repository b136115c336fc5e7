import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds what a host asks on one connection before it has read the answers: Node begins every
 * request at once, and keeps the answers of all behind the first, however large they are.
 */
export class Pipelines {
  readonly #max: number;
  readonly #behind = new WeakMap<Socket, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** False when too many wait: the connection is ended, and with it whatever was asked there. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // The rule: nothing waits before it, so that the answer has the connection for itself.
    if (response.socket) return true;
    const behind = (this.#behind.get(socket) ?? 0) + 1;
    if (behind > this.#max) {
      socket.destroy();
      return false;
    }
    this.#behind.set(socket, behind);
    response.once('close', () => this.#behind.set(socket, (this.#behind.get(socket) ?? 1) - 1));
    return true;
  }
}
