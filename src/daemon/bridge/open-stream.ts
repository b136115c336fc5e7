import { connect, type Socket } from 'node:net';
import { FOLDER_HEADER } from '../../api/send.ts';
import type { Clock } from '../../base/clock.ts';
import { type ErrorView, hasCode, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { READ_ONLY, STREAM_PATH, STREAM_PROTOCOL } from '../../gateway/stream/address.ts';
import { otherUsersHub } from '../other-users-hub.ts';
import type { BridgeLimits } from './limits.ts';

export interface OpenStreamOptions {
  readonly socketPath: string;
  readonly profile?: string | undefined;
  readonly server?: string | undefined;
  readonly mode?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly folder: string;
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly signal: AbortSignal;
}

/** Opens a stream of MCP messages by hand: an HTTP client would double the memory of a bridge. */
export async function openStream(options: OpenStreamOptions): Promise<Socket> {
  const { clock, limits, signal } = options;
  signal.throwIfAborted();
  const socket = connect(options.socketPath);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal.reason as Error); // a reason of ours is an error
  const cancelWait = clock.after(limits.openMs, () => reject(unavailable('The hub does not answer.')));
  let answer = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    answer = Buffer.concat([answer, chunk]);
    if (answer.indexOf(HEAD_END) !== -1 && answer.indexOf(ACCEPTED) === 0) resolve();
    else if (answer.length > limits.refusalBytesMax) reject(refusal(answer));
  };
  // A hub that is ending closes new connections.
  const closed = 'The hub closed the stream before it began.';
  const ended = (): void => reject(answer.length === 0 ? unavailable(closed) : refusal(answer));
  const failed = (error: Error): void => reject(unreachable(error));
  signal.addEventListener('abort', abort, { once: true });
  socket.on('data', read).once('end', ended).on('error', failed);
  socket.write(requestHead(options));
  try {
    await promise;
    socket.pause();
    const rest = answer.subarray(answer.indexOf(HEAD_END) + HEAD_END.length);
    if (rest.length > 0) socket.unshift(rest);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    cancelWait();
    signal.removeEventListener('abort', abort);
    socket.off('data', read).off('end', ended);
  }
}

const HEAD_END = '\r\n\r\n';
const ACCEPTED = 'HTTP/1.1 101 ';

function requestHead({ profile, server, mode, readOnly, folder }: OpenStreamOptions): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ profile, server, mode })) {
    if (value !== undefined) query.set(name, value);
  }
  if (readOnly) query.set(READ_ONLY, '1');
  return [
    `GET ${STREAM_PATH}?${query.toString()} HTTP/1.1`,
    'host: localhost',
    'connection: Upgrade',
    `upgrade: ${STREAM_PROTOCOL}`,
    `${FOLDER_HEADER}: ${encodeURIComponent(folder)}`,
    HEAD_END.slice(2),
  ].join('\r\n');
}

function unreachable(cause: Error): PlugError {
  if (hasCode(cause, 'EACCES')) {
    return otherUsersHub(cause);
  }
  const remedy = { do: 'start-hub' } as const;
  return new PlugError('hub_unavailable', 'No hub is running.', { owner: 'you', remedy, cause });
}

function unavailable(message: string): PlugError {
  return new PlugError('hub_unavailable', message, { owner: 'plugboard', remedy: { do: 'restart-hub' } });
}

/** The hub sends an error of ours; an older hub does not know the stream. */
function refusal(answer: Buffer): PlugError {
  const text = answer.toString('utf8');
  try {
    const body: unknown = JSON.parse(text.slice(text.indexOf(HEAD_END) + HEAD_END.length));
    const view = isObject(body) ? body['error'] : undefined;
    if (isView(view)) return PlugError.fromView(view);
  } catch {
    // Not an answer of ours: told below.
  }
  return new PlugError('unavailable', 'The hub that is running has no gateway.', {
    owner: 'you',
    remedy: { do: 'restart-hub' },
  });
}

function isView(value: unknown): value is ErrorView {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}
