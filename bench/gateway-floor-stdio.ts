/**
 * The floor over stdio: lines in, ids rewritten, lines out. Usage:
 * `node bench/gateway-floor-stdio.ts COMMAND…`; it ends with its standard input.
 */
import { startEchoChild } from './gateway-floor-child.ts';

const child = startEchoChild(process.argv.slice(2));
let rest = '';
let out = '';
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    child.ask(JSON.parse(line) as Record<string, unknown>, (message) => {
      if (out === '') process.nextTick(flush);
      out += `${JSON.stringify(message)}\n`;
    });
  }
});
process.stdin.on('end', () => process.exit(0));

function flush(): void {
  process.stdout.write(out);
  out = '';
}
