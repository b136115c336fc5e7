import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isEcho, type Lane } from './gateway-load.ts';

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (id: number) => string;
}

export interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/**
 * A keep-alive connection of HTTP/1.1, by hand: a general client would cost more than what is
 * measured. It reads bodies with a length and chunked ones, which event streams are.
 */
export class HttpLane implements Lane {
  readonly #socket: Socket;
  readonly #target: Target;
  readonly #head: string;
  #text = '';
  #waiting:
    | { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }
    | undefined;

  static async open(target: Target): Promise<HttpLane> {
    const socket = connect(target.port, '127.0.0.1');
    await once(socket, 'connect');
    return new HttpLane(socket, target);
  }

  private constructor(socket: Socket, target: Target) {
    this.#socket = socket.setNoDelay(true).setEncoding('latin1');
    this.#target = target;
    const headers = Object.entries(target.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#head = `POST ${target.path} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n${headers.join('')}`;
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('close', () => this.#waiting?.reject(new Error('The connection was closed in a call.')));
    socket.on('error', (error) => this.#waiting?.reject(error));
  }

  async call(id: number): Promise<void> {
    const answer = await this.post(this.#target.body(id));
    if (answer.status !== 200 || !isEcho(answer.body, id)) {
      throw new Error(`The echo did not come back: ${answer.status} ${answer.body.slice(0, 500)}`);
    }
  }

  post(body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== 'open')
        return reject(new Error('The connection was closed before the call.'));
      this.#waiting = { resolve, reject };
      // Only ASCII is sent, so that characters are bytes.
      this.#socket.write(`${this.#head}content-length: ${body.length}\r\n\r\n${body}`, 'latin1');
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#text += chunk;
    const split = this.#text.indexOf('\r\n\r\n');
    if (split === -1) return;
    const headers = this.#text.slice(0, split);
    const body = bodyOf(headers, this.#text, split + 4);
    if (body === undefined) return;
    const waiting = this.#waiting;
    this.#text = '';
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(headers.slice(9, 12)), headers, body });
  }
}

/** The whole body, or undefined while some of it is still to come. One answer is open at a time. */
function bodyOf(headers: string, text: string, from: number): string | undefined {
  const length = /content-length: (\d+)/i.exec(headers)?.[1];
  if (length !== undefined) {
    return text.length >= from + Number(length) ? text.slice(from) : undefined;
  }
  if (!/transfer-encoding: chunked/i.test(headers)) return '';
  return text.endsWith('0\r\n\r\n') ? text.slice(from) : undefined;
}
