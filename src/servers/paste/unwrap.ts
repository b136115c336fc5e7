import { headerPair, transportOfUrl } from './entry.ts';
import type { PastedServer, PastedTransport } from './paste.ts';
import type { Draft } from './view.ts';

/** Programs that only forward to a remote server, which we can reach ourselves. */
const BRIDGE =
  /^(?:mcp-remote|@[\w-]+\/mcp-remote|mcp-proxy|supergateway|@pyroprompts\/mcp-stdio-to-streamable-http-adapter)(?:@[\w.-]+)?$/;

/** What `npx mcp-remote URL` would contact. */
export function unwrapped({ command, args = [] }: Draft): PastedServer['alt'] {
  const at = command !== undefined && BRIDGE.test(command) ? -1 : args.findIndex((arg) => BRIDGE.test(arg));
  if (at < 0 && !BRIDGE.test(command ?? '')) return undefined;
  const behind = args.slice(at + 1);
  const url = behind.find((arg) => /^(?:https?|wss?):\/\//i.test(arg) || /^\$\{[^}]*url[^}]*\}$/i.test(arg));
  if (url === undefined) return undefined;
  const headers = behind.flatMap((arg, index) => {
    const line = arg === '--header' || arg === '-H' ? behind[index + 1] : /^--header=([^]+)$/.exec(arg)?.[1];
    return line === undefined ? [] : [headerPair(line)];
  });
  const forced = behind.find((_, index) => behind[index - 1] === '--transport');
  const transport: PastedTransport = forced?.startsWith('sse')
    ? 'sse'
    : forced?.startsWith('http')
      ? 'http'
      : transportOfUrl(url);
  return { transport, url, ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}) };
}
