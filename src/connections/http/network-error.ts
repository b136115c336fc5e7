import { type ErrorCode, messageOf, type Owner, PlugError } from '../../base/errors.ts';

/**
 * Says in a sentence why an HTTP exchange failed. Only host and port are named: the path and
 * the query of an address may hold secrets.
 */
export function networkError(error: unknown, url: URL): PlugError {
  if (error instanceof PlugError) return error;
  const root = rootOf(error);
  const code = codeOf(root);
  const place = placeOf(url);
  const [kind, owner, message, remedy] = explain(code, place, url, root);
  const details = { host: place, cause: code };
  return new PlugError(kind, message, { owner, remedy, cause: error, details });
}

type Explained = readonly [code: ErrorCode, owner: Owner, message: string, remedy?: string | undefined];

function explain(code: string, place: string, { hostname }: URL, root: unknown): Explained {
  const outage = (message: string, remedy?: string): Explained => ['unreachable', 'network', message, remedy];
  switch (code) {
    case 'ECONNREFUSED':
      return outage(
        `Nothing listens at ${place}.`,
        `Start the service at ${place}, or correct the server's address.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return outage(
        `DNS lookup failed for ${hostname}.`,
        'Check the spelling of the address, then your network and DNS.',
      );
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return outage(
        `${place} did not accept a connection in time.`,
        'Check your network, proxy and firewall, then try again.',
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return outage(`There is no route to ${place}.`, 'Check your network or VPN, then try again.');
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return outage(
        `${place} closed the connection before it had answered.`,
        'Try again; if it stays so, look at the log of the service.',
      );
    case 'UND_ERR_HEADERS_TIMEOUT':
      return ['call_timeout', 'server', `${place} accepted the request and did not answer in time.`];
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return ['too_large', 'server', `${place} answered with headers that are too large.`];
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return ['cancelled', 'plugboard', `The connection to ${place} was closed.`];
    default:
  }
  if (code.startsWith('HPE_')) {
    const message = `${place} answered, but not with HTTP.`;
    return ['protocol_error', 'server', message, 'Check the port: another kind of service listens there.'];
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_BROTLI')) {
    return ['protocol_error', 'server', `${place} sent an answer that cannot be unpacked (${code}).`];
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    const remedy = 'Check whether the address should start with http:// instead of https://.';
    return outage(`${place} does not speak TLS (${code}).`, remedy);
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const remedy = 'Check the clock of this machine; if it is right, the service must renew its certificate.';
    const what = code === 'CERT_HAS_EXPIRED' ? 'has expired' : "isn't valid yet";
    return ['unreachable', 'server', `The certificate of ${place} ${what}.`, remedy];
  }
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED|ERR_TLS/.test(code)) {
    const remedy =
      'If you trust its authority, set NODE_EXTRA_CA_CERTS to the file of its certificate and restart the hub.';
    return outage(`The certificate of ${place} isn't trusted (${code}).`, remedy);
  }
  return outage(`${place} could not be reached (${code === 'unknown' ? messageOf(root) : code}).`);
}

/** The address as a person would type it, without path, query and credentials. */
export function placeOf(url: URL): string {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  return `${url.hostname}:${url.port === '' ? (secure ? '443' : '80') : url.port}`;
}

/** A name with several addresses fails with one error per address; the first one speaks for all. */
function rootOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 8; depth += 1) {
    if (root instanceof AggregateError && root.errors.length > 0) root = root.errors[0];
    else if (root instanceof Error && codeOf(root) === 'unknown' && root.cause !== undefined)
      root = root.cause;
    else break;
  }
  return root;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === undefined && error instanceof Error && error.name === 'HTTPParserError') return 'HPE_UNKNOWN';
  return typeof code === 'string' ? code : 'unknown';
}
