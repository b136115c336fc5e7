import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programFile } from '../suite/program-file.ts';

export interface CallerOptions {
  readonly folder: string;
  readonly calls: number;
  /** How far ahead its clock is. */
  readonly aheadMs?: number;
  readonly leaseMs?: number;
}

/** A process that is about to call; see calling-process.ts. */
export interface Caller {
  readonly child: ChildProcess;
  /** Lets it call; resolves with how each call ended, or undefined when it was killed before. */
  go(): Promise<readonly string[] | undefined>;
  kill(): void;
}

const PROGRAM = programFile('sign-in/calling-process');

export async function startCaller(options: CallerOptions): Promise<Caller> {
  const { folder, calls, aheadMs = 0, leaseMs = 20_000 } = options;
  const words = [folder, calls, aheadMs, leaseMs].map(String);
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  if (value !== 'ready') throw new Error(`The caller is not ready: ${String(value)}`);
  return {
    child,
    go: async () => {
      child.stdin.write('go\n');
      const { value: line, done } = await lines.next();
      await closed;
      return done ? undefined : (JSON.parse(line) as readonly string[]); // what it prints
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
