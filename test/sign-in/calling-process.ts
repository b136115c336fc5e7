/**
 * A process of its own with a hub on a shared database: `node test/sign-in/calling-process.ts FOLDER
 * CALLS AHEAD_MS LEASE_MS`. Says `ready`, waits for a line, makes its calls at once and prints how each ended.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PlugError } from '../../src/base/errors.ts';
import { callTool, clockAhead, openTestHub } from './signed-in-hub.ts';

const [folder = '', calls = '1', ahead = '0', leaseMs = '20000'] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
const hub = await openTestHub({
  folder,
  clock: clockAhead(() => Number(ahead)),
  limits: { refreshLeaseMs: Number(leaseMs) },
});
console.log('ready');
await once(input, 'line');
const ends = await Promise.all(
  Array.from({ length: Number(calls) }, (_, index) =>
    callTool(hub, 'site/echo', { message: `call ${index}` }).then(
      (text) => (text === `call ${index}` ? 'ok' : `wrong: ${text}`),
      (error: unknown) => (error instanceof PlugError ? error.code : String(error)),
    ),
  ),
);
console.log(JSON.stringify(ends));
await hub.close();
input.close();
