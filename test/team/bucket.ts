import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';

export const SECRET = 'canary-of-the-bucket';

export interface BucketServer extends AsyncDisposable {
  readonly address: string;
  /** By the name of the object, below the bucket. */
  readonly objects: ReadonlyMap<string, string>;
  /** Every request that was let in, in order. */
  readonly asked: readonly string[];
  /** For the next requests that write: kept without an answer, or refused. */
  next: 'kept-unanswered' | 'refused' | undefined;
}

/** A bucket that believes who signs as S3 asks for, and nobody else. */
export async function startBucket(): Promise<BucketServer> {
  const objects = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const { method = '', url = '' } = request;
    const isRefused = bucket.next === 'refused' && method === 'PUT';
    if (isRefused || !(await isSigned(request, body, bucket.address))) {
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
    asked.push(`${method} ${url}`);
    if (method !== 'PUT') return void response.writeHead(objects.has(url) ? 200 : 404).end();
    objects.set(url, body);
    if (bucket.next === 'kept-unanswered') return void request.socket.destroy();
    response.writeHead(200).end();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const bucket: BucketServer = {
    address: `http://127.0.0.1:${port}`,
    objects,
    asked,
    next: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return bucket;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function isSigned(
  { method = '', url, headers }: IncomingMessage,
  body: string,
  at: string,
): Promise<boolean> {
  const sha = String(headers['x-amz-content-sha256']);
  if (sha !== createHash('sha256').update(body).digest('hex')) return false;
  const datetime = String(headers['x-amz-date']);
  const signer = new AwsV4Signer({
    method,
    url: `${at}${url}`,
    headers: { 'x-amz-content-sha256': sha },
    ...(body === '' ? {} : { body }),
    accessKeyId: 'AKIATEST',
    secretAccessKey: SECRET,
    service: 's3',
    region: 'test-1',
    datetime,
  });
  return (await signer.sign()).headers.get('authorization') === headers.authorization;
}
