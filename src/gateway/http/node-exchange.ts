import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded } from '../../base/faults.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { headersOf } from './knock.ts';

export class NodeIncoming implements Incoming {
  readonly #request: IncomingMessage;
  readonly header: (name: string) => string | undefined;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.header = headersOf(request);
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  get connection(): object {
    return this.#request.socket;
  }

  body(bytesMax: number, done: (body: Buffer) => void, tooLarge: () => void): void {
    const request = this.#request;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (): unknown => request.destroy();
    const onData = guarded(
      'a request of a host',
      (chunk: Buffer): void => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= bytesMax) return;
        request.off('data', onData).off('end', onEnd);
        request.resume();
        tooLarge();
      },
      end,
    );
    const onEnd = guarded('a request of a host', () => done(Buffer.concat(chunks, bytes)), end);
    request.on('data', onData).on('end', onEnd);
  }

  skip(): void {
    this.#request.resume();
  }
}

export class NodeOutgoing implements Outgoing {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isBegun(): boolean {
    return this.#response.headersSent;
  }

  get unread(): number {
    return this.#response.writableLength;
  }

  whole(status: number, headers: readonly string[], text: string): void {
    const length = status === 204 ? [] : ['content-length', String(Buffer.byteLength(text))];
    this.#response.writeHead(status, [...headers, ...length]);
    this.#response.end(text);
  }

  begin(status: number, headers: readonly string[]): void {
    this.#response.writeHead(status, [...headers]);
  }

  write(text: string): void {
    this.#response.write(text);
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }
}
