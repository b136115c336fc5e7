import { createServer, type RequestListener } from 'node:http';
import type { BrowserServer } from 'playwright-core';
import { serveChromium } from '../browser/launch.ts';
import { startPostgres, type PostgresServer } from '../contracts/postgres-server.ts';
import type { SharedName } from './share.ts';

/**
 * One PostgreSQL and one Chromium for a whole run: each starts when it is first asked for, and ends
 * with standard input. Prints the address at which test files ask.
 */
let postgres: Promise<PostgresServer> | undefined;
let chromium: Promise<BrowserServer> | undefined;
let databases = 0;
const give: Readonly<Record<SharedName, () => Promise<string>>> = {
  database: async () => (await (postgres ??= startPostgres())).createDatabase(`shared_${(databases += 1)}`),
  chromium: async () => (await (chromium ??= serveChromium())).wsEndpoint(),
};
const answer: RequestListener = ({ url = '' }, response) => {
  const name = url.slice(1);
  const given = name === 'database' || name === 'chromium' ? give[name]() : Promise.reject(new Error(url));
  given.then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
};
const listener = createServer(answer).listen(0, '127.0.0.1', () => {
  const address = listener.address();
  if (typeof address !== 'object' || address === null) throw new Error('The listener has no port.');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});

const stop = async (): Promise<void> => {
  listener.closeAllConnections();
  listener.close();
  await Promise.all([postgres?.then((server) => server.stop()), chromium?.then((server) => server.close())]);
  process.exit(0);
};
process.stdin.resume().on('end', () => void stop());
