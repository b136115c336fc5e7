import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The same `_meta` as the hub's: both sides ask the same of the server, byte for byte. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'plugboard', version: '0.0.0-bench' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

type Result = Readonly<Record<string, unknown>>;

/**
 * The floor: the least code that can call a tool over stdio. It writes a line, reads a line, parses
 * it and resolves a promise; it checks nothing, times nothing and recovers from nothing. It is not
 * careless either: lines of one tick go out in one write, and a long line is joined once.
 */
export class LineClient implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (result: Result) => void>();
  #pieces: Buffer[] = [];
  #out = '';
  #id = 0;

  constructor({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Result> {
    return new Promise((resolve) => {
      const id = ++this.#id;
      this.#waiting.set(id, resolve);
      const params = { name, arguments: args, _meta: META };
      if (this.#out === '') process.nextTick(() => this.#flush());
      this.#out += `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }

  #flush(): void {
    const text = this.#out;
    this.#out = '';
    this.#child.stdin?.write(text);
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (this.#pieces.length === 0) this.#take(chunk.toString('utf8', start, end));
      else {
        this.#pieces.push(chunk.subarray(start, end));
        this.#take(Buffer.concat(this.#pieces).toString());
        this.#pieces = [];
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  #take(line: string): void {
    const { id, result } = JSON.parse(line) as { id: number; result: Result }; // the echo server's answers
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(result);
  }
}
