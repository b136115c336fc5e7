import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { richServer } from '../rich/server.ts';
import { newWorld } from '../rich/world.ts';
import { answerError, type MakeBehaviour } from './behavior.ts';
import { closeFrame, FrameReader, pongFrame, textFrame } from './websocket-frames.ts';

/** RFC 6455 fixes this value. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A legacy server behind a WebSocket of the subprotocol `mcp`. */
export const websocket: MakeBehaviour = (params, stats) => {
  const world = newWorld({ page: params.number('page', 0) });
  const open = new Set<Duplex>();
  return {
    scheme: 'ws',
    handle: ({ response }) => answerError(response, 426, 'Upgrade required'),
    upgrade: (request, socket) => {
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((word) => word.trim());
      const key = request.headers['sec-websocket-key'];
      if (key === undefined || !offered.includes('mcp')) {
        socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
          `sec-websocket-protocol: mcp\r\nsec-websocket-accept: ${acceptOf(key)}\r\n\r\n`,
      );
      open.add(socket);
      stats.sessions += 1;
      stats.sessionsOpen = open.size;
      socket.on('close', () => {
        open.delete(socket);
        stats.sessionsOpen = open.size;
      });
      const server = richServer({ era: 'legacy', world, listens: true, version: params.text('version') });
      void server
        .connect(new SocketTransport(socket))
        .catch((error: unknown) => socket.destroy(error as Error));
    },
    controls: {
      '/_forget': () => {
        for (const socket of open) socket.destroy();
      },
    },
  };
};

function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}${KEY_SUFFIX}`).digest('base64');
}

class SocketTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #socket: Duplex;
  readonly #reader = new FrameReader();

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  start(): Promise<void> {
    this.#socket.on('data', (chunk: Buffer) => {
      for (const frame of this.#reader.read(chunk)) {
        if (frame.kind === 'text') this.onmessage?.(parseJSONRPCMessage(JSON.parse(frame.text)));
        else if (frame.kind === 'ping') this.#socket.write(pongFrame(frame.payload));
        else void this.close();
      }
    });
    // A host that vanishes is no failure of the server.
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('close', () => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#socket.write(textFrame(JSON.stringify(message)));
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#socket.writableEnded) this.#socket.end(closeFrame());
    return Promise.resolve();
  }
}
