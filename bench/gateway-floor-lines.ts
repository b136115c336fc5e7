import type { Readable, Writable } from 'node:stream';
import type { EchoChild } from './gateway-floor-child.ts';

/** Lines in, ids rewritten, lines out: those of one tick in one write. */
export function serveLines(child: EchoChild, input: Readable, output: Writable): void {
  let rest = '';
  let out = '';
  const flush = (): void => {
    output.write(out);
    out = '';
  };
  input.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      child.ask(JSON.parse(line) as Record<string, unknown>, (message) => {
        if (out === '') process.nextTick(flush);
        out += `${JSON.stringify(message)}\n`;
      });
    }
  });
}
