import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { lastingFolder } from '../suite/lasting-folder.ts';

/** What npx downloads is kept from one test to the next, and from one run to the next. */
const cache = join(lastingFolder, 'plug-real-npm-cache');

/** What says on this machine how packages are fetched; without it npx would ask another registry. */
const NETWORK =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY|npm_config_globalconfig|npm_config_registry)$/i;

/** The machine's own npm settings, in whatever home a test runs. */
export function realEnvironment(): Readonly<Record<string, string>> {
  mkdirSync(cache, { recursive: true });
  const network = Object.entries(process.env).filter(
    (entry): entry is [string, string] => NETWORK.test(entry[0]) && entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(network),
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
    npm_config_cache: cache,
  };
}
