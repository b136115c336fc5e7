import type { PlugError } from '../../base/errors.ts';
import { serverFailure } from '../failures.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** https, or http on this machine, and no credentials (specification, security best practices; CVE-2025-6514). */
export function checkSignInAddress(text: string, what: string, server: string): URL {
  const refuse = (why: string): PlugError => {
    const message = `${server} names ${what} that is not safe to use: ${why}.`;
    const remedy = 'Tell the operator of the server; nothing was opened or sent.';
    return serverFailure('denied', server, message, { remedy });
  };
  if (!URL.canParse(text)) throw refuse('it isn’t a URL');
  const url = new URL(text);
  const loopback = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (url.protocol !== 'https:' && !loopback) throw refuse('only https may be used');
  if (url.username !== '' || url.password !== '') throw refuse('it carries a user name or a password');
  return url;
}
