import type { Dialect } from './dialect.ts';
import { noSyntax } from './placeholder-syntax.ts';

/** What most clients share: `{"command", "args", "env"}` or `{"url", "headers"}`. */
export const standardDialect: Dialect = {
  fields: { command: 'command', args: 'args', env: 'env', url: 'url', headers: 'headers' },
  kinds: { stdio: null, http: null },
  placeholders: noSyntax,
};
