import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isEcho, type Lane, modernCall } from './gateway-load.ts';

/** A host that starts a command and speaks lines with it; as many lanes as one likes share it. */
export class StdioHost implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (line: string) => void>();
  #out = '';
  #rest = '';

  constructor(
    command: readonly string[],
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ) {
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  lane(): Lane {
    return {
      call: async (id) => {
        const line = await this.#send(id);
        if (!isEcho(line, id)) throw new Error(`The echo did not come back: ${line.slice(0, 500)}`);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    await ended;
  }

  #send(id: number): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      if (this.#out === '') process.nextTick(() => this.#flush());
      this.#out += `${modernCall(id)}\n`;
    });
  }

  #flush(): void {
    this.#child.stdin.write(this.#out);
    this.#out = '';
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const at = line.lastIndexOf('"id":');
      const id = Number.parseInt(line.slice(at + 5), 10);
      this.#waiting.get(id)?.(line);
      this.#waiting.delete(id);
    }
  }
}
