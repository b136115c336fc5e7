import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { rawAnswer } from '../scenarios/raw-server.ts';

/** Ends at once, with the usual words, until it has what it needs: `key`, `folder PATH` or `port NUMBER`. */
const [need, value = ''] = process.argv.slice(2);
const TAKEN = '3000';

const missing = {
  key: process.env['WEATHER_API_KEY'] === 'right-key' ? undefined : 'WEATHER_API_KEY is required',
  folder: existsSync(value) ? undefined : `Error: ENOENT: no such file or directory, scandir '${value}'`,
  port: value === TAKEN ? `Error: listen EADDRINUSE: address already in use 127.0.0.1:${TAKEN}` : undefined,
}[need ?? ''];

if (missing !== undefined) {
  process.stderr.write(`${missing}\n`);
  process.exitCode = 1;
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    for (const answer of rawAnswer(line)) process.stdout.write(`${answer}\n`);
  });
}
