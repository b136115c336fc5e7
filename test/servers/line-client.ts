import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Obj } from './rich/tool.ts';
import { type CommandLine, waitFor } from './start.ts';

export interface Reply {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Obj;
  readonly result?: Obj;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Obj };
}

/** The smallest client there can be: JSON-RPC lines, owing nothing to the product or the SDK. */
export class LineClient implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<unknown[]>;
  /** Everything the server wrote, in order; lines that are no JSON objects are in `noise`. */
  readonly messages: Reply[] = [];
  readonly noise: string[] = [];
  /** The raw pieces in which stdout arrived. */
  readonly chunks: string[] = [];
  stderr = '';
  stderrBytes = 0;
  /** Answers requests of the server by method. */
  readonly host: Record<string, (params: Obj) => Obj> = {};
  #rest = '';
  #id = 0;

  constructor({ command, args }: CommandLine, options: { cwd?: string; env?: Record<string, string> } = {}) {
    this.child = spawn(command, args, { stdio: 'pipe', ...options });
    this.exited = once(this.child, 'exit');
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderrBytes += chunk.length;
      if (this.stderr.length < 10_000) this.stderr += chunk;
    });
    // A server that has gone cannot be written to; tests look at its exit instead.
    this.child.stdin.on('error', () => undefined);
  }

  /** Sends a request and answers its id at once. */
  send(method: string, params: Obj = {}): number {
    this.#id += 1;
    this.#write({ jsonrpc: '2.0', id: this.#id, method, params });
    return this.#id;
  }

  notify(method: string, params: Obj = {}): void {
    this.#write({ jsonrpc: '2.0', method, params });
  }

  async request(method: string, params: Obj = {}): Promise<Reply> {
    return this.reply(this.send(method, params));
  }

  reply(id: number): Promise<Reply> {
    return this.find((message) => message.id === id && message.method === undefined);
  }

  /** The first message that fits, now or soon. */
  async find(fits: (message: Reply) => boolean): Promise<Reply> {
    await waitFor(() => this.messages.some(fits), 4_000);
    return this.messages.find(fits) as Reply; // waited for
  }

  /** The legacy handshake. */
  async initialize(protocolVersion = '2025-11-25', capabilities: Obj = {}): Promise<Reply> {
    const clientInfo = { name: 'line-client', version: '1' };
    const reply = await this.request('initialize', { protocolVersion, capabilities, clientInfo });
    this.notify('notifications/initialized');
    return reply;
  }

  call(name: string, args: Obj = {}, more: Obj = {}): Promise<Reply> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  #write(message: Obj): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #take(chunk: string): void {
    this.chunks.push(chunk);
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    let message: Reply;
    try {
      message = JSON.parse(line) as Reply; // a JSON-RPC message, or else noise
    } catch {
      this.noise.push(line);
      return;
    }
    this.messages.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const result = this.host[message.method]?.(message.params ?? {});
    const outcome = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
    this.#write({ jsonrpc: '2.0', id: message.id, ...outcome });
  }
}

/** Parameters with the envelope that every 2026-07-28 request carries. */
export function modernParams(params: Obj = {}, capabilities: Obj = {}, meta: Obj = {}): Obj {
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'line-client', version: '1' },
      ...meta,
    },
  };
}

/** The text of a tool's answer. */
export function textOf(reply: Reply): string {
  const content = reply.result?.['content'] as { text?: string }[] | undefined; // absent in errors
  return content?.[0]?.text ?? JSON.stringify(reply);
}
