import { request, type OutgoingHttpHeaders } from 'node:http';

export interface Knock {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** One plain request on a connection of its own, with exactly these headers: Host and Origin included. */
export function knock(
  to: { readonly url: string } | { readonly socketPath: string },
  given: Knock,
): Promise<Answer> {
  const where = 'url' in to ? { host: '127.0.0.1', port: new URL(to.url).port } : to;
  const { method = 'GET', path, headers = {}, body } = given;
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...where, method, path, headers, agent: false });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      // An answer that arrives before the body was sent ends with a reset; what was said still counts.
      incoming.once('close', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
      incoming.once('error', () => undefined);
    });
    outgoing.end(body);
  });
}
