import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programFile } from '../../suite/program-file.ts';

const main = programFile('conformance/server/main');

/** The command line with which a hub starts the fixture as its child. */
export const stdioCommand: readonly string[] = [process.execPath, main, 'stdio'];

export interface RunningFixture extends AsyncDisposable {
  readonly url: string;
}

/** Starts the fixture over HTTP and waits until it listens. */
export async function startHttpFixture(): Promise<RunningFixture> {
  // It ends when this pipe does, so that a killed run leaves nothing behind.
  const child = spawn(process.execPath, [main, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'close');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first)),
    exited.then(([code]) => Promise.reject(new Error(`The fixture ended with ${String(code)}.`))),
  ]);
  const { url } = JSON.parse(line) as { url: string }; // main.ts prints just this
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
