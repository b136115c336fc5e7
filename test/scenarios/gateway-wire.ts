import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JsonObject } from '../../src/base/json.ts';
import { bin } from './plug-command.ts';

/** One JSON-RPC message, whatever it is. */
export type Message = JsonObject;

/** How a host and the gateway reach each other, by hand: neither the product nor an SDK has a part in it. */
export interface Wire {
  /** Resolves when the message is delivered, over HTTP when its answer has ended. */
  send(message: Message): Promise<void>;
  /** Gives up waiting for this request, in the way of this wire and era. */
  cancel(id: string | number): void;
  /** As a host that has finished. */
  close(): Promise<void>;
  /** As a host that was killed. */
  kill(): Promise<void>;
}

/** Where a hub is. */
export interface WireTarget {
  readonly url: string;
  readonly bearer: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type WireKind = 'stdio' | 'http' | 'sse';
export type OpenWire = (
  target: WireTarget,
  onMessage: (message: Message) => void,
  path?: string,
) => Promise<Wire>;

/** A child `plug gateway`, one message a line. In place of a path it has flags. */
const stdioWire: OpenWire = (target, onMessage, flags = '--mode all') => {
  const { cwd, env } = target;
  const child = spawn(process.execPath, [bin, 'gateway', ...flags.split(' ')], { cwd, env });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => undefined); // it has ended; tests look at its exit
  child.stderr.resume();
  child.stdout.setEncoding('utf8').on('data', linesTo(onMessage));
  const send = (message: Message): Promise<void> => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  };
  return Promise.resolve({
    send,
    cancel: (requestId) => void send(cancelled(requestId)),
    close: async () => {
      child.stdin.end();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  });
};

/** Streamable HTTP of both eras: which one is seen in each message, as the gateway sees it. */
const httpWire: OpenWire = ({ url, bearer }, onMessage, path = '/mcp?mode=all') => {
  const open = new Map<unknown, AbortController>();
  const streams = new AbortController();
  let session: string | undefined;
  const headers = (message?: Message): Record<string, string> => ({
    ...HTTP_HEADERS,
    authorization: bearer,
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(message && isModern(message) ? modernHeaders(message) : {}),
  });
  const listen = async (): Promise<void> => {
    const response = await fetch(url + path, { headers: headers(), signal: streams.signal });
    void readMessages(response, onMessage).catch(() => undefined); // ends with the wire
  };
  const send = async (message: Message): Promise<void> => {
    const ending = new AbortController();
    const isRequest = message['method'] !== undefined && message['id'] !== undefined;
    if (isRequest) open.set(message['id'], ending);
    let answers = 0;
    const body = JSON.stringify(message);
    const signal = AbortSignal.any([ending.signal, streams.signal]);
    const response = await fetch(url + path, { method: 'POST', headers: headers(message), body, signal });
    session = response.headers.get('mcp-session-id') ?? session;
    await readMessages(response, (each) => {
      if (!('method' in each)) answers += 1;
      // What was refused unread is known by its POST alone.
      onMessage(isRequest && each['id'] === null ? { ...each, id: message['id'] } : each);
    });
    if (isRequest && answers === 0) throw new Error('The stream ended without an answer.');
    if (message['method'] === 'notifications/initialized') await listen();
  };
  const kill = (): Promise<void> => {
    streams.abort();
    return Promise.resolve();
  };
  return Promise.resolve({
    send,
    cancel: (id) => {
      if (session === undefined) open.get(id)?.abort();
      else void send(cancelled(id));
    },
    close: async () => {
      if (session !== undefined) await fetch(url + path, { method: 'DELETE', headers: headers() });
      await kill();
    },
    kill,
  });
};

/** HTTP+SSE of 2024-11-05: everything comes on one stream. */
const sseWire: OpenWire = async ({ url, bearer }, onMessage) => {
  const streams = new AbortController();
  const headers = { ...HTTP_HEADERS, authorization: bearer };
  const where = Promise.withResolvers<string>();
  const response = await fetch(`${url}/sse?mode=all`, { headers, signal: streams.signal });
  void readEvents(response, (event, data) => {
    if (event === 'endpoint') where.resolve(data);
    else onMessage(JSON.parse(data) as Message); // as specified
  }).catch(() => undefined); // ends with the wire
  const path = await where.promise;
  const send = async (message: Message): Promise<void> => {
    const body = JSON.stringify(message);
    const accepted = await fetch(url + path, { method: 'POST', headers, body, signal: streams.signal });
    if (!accepted.ok) throw new Error(`The message was not accepted: ${accepted.status}`);
  };
  const kill = (): Promise<void> => {
    streams.abort();
    return Promise.resolve();
  };
  return { send, cancel: (requestId) => void send(cancelled(requestId)), close: kill, kill };
};

export const wires: Readonly<Record<WireKind, OpenWire>> = { stdio: stdioWire, http: httpWire, sse: sseWire };

export const HTTP_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** The headers that repeat what a modern request says. */
export function modernHeaders({ method, params }: Message): Record<string, string> {
  const { name, uri } = (params ?? {}) as JsonObject; // an object or absent
  const subject = name ?? uri;
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method as string, // as specified
    ...(typeof subject === 'string' ? { 'mcp-name': subject } : {}),
  };
}

function isModern({ params }: Message): boolean {
  return JSON.stringify(params ?? null).includes('io.modelcontextprotocol/protocolVersion');
}

function cancelled(requestId: string | number): Message {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

/** The messages of an HTTP answer, one or a stream of them. */
async function readMessages(response: Response, onMessage: (message: Message) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    await readEvents(response, (_, data) => onMessage(JSON.parse(data) as Message)); // as specified
    return;
  }
  const text = await response.text();
  if (text !== '') onMessage(JSON.parse(text) as Message); // as specified
}

async function readEvents(response: Response, onEvent: (event: string, data: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    const events = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      // Not a dot: U+2028 ends a line of a pattern, and no line of a stream.
      const data = /(?:^|\n)data: ([^\n]*)/.exec(event)?.[1];
      if (data) onEvent(/^event: (.*)$/m.exec(event)?.[1] ?? 'message', data);
    }
  }
}

function linesTo(onMessage: (message: Message) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onMessage(JSON.parse(line) as Message); // anything else fails the test
  };
}
