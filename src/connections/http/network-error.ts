import { messageOf, PlugError, type PlugErrorOptions } from '../../base/errors.ts';

/**
 * Says in a sentence why an HTTP exchange failed. Only host and port are named: the path and
 * the query of an address may hold secrets.
 */
export function networkError(error: unknown, url: URL): PlugError {
  if (error instanceof PlugError) return error;
  const root = rootOf(error);
  const code = codeOf(root);
  const place = placeOf(url);
  const give = (
    kind: PlugError['code'],
    message: string,
    rest: Omit<PlugErrorOptions, 'cause' | 'details'>,
  ) => new PlugError(kind, message, { ...rest, cause: error, details: { host: place, cause: code } });

  switch (code) {
    case 'ECONNREFUSED':
      return give('unreachable', `Nothing listens at ${place}.`, {
        owner: 'network',
        remedy: `Start the service at ${place}, or correct the server's address.`,
      });
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return give('unreachable', `The name ${url.hostname} could not be resolved.`, {
        owner: 'network',
        remedy: 'Check the spelling of the address, then your network and DNS.',
      });
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return give('unreachable', `${place} did not accept a connection in time.`, {
        owner: 'network',
        remedy: 'Check your network, proxy and firewall, then try again.',
      });
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return give('unreachable', `There is no route to ${place}.`, {
        owner: 'network',
        remedy: 'Check your network or VPN, then try again.',
      });
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return give('unreachable', `${place} closed the connection before it had answered.`, {
        owner: 'network',
        remedy: 'Try again; if it stays so, look at the log of the service.',
      });
    case 'UND_ERR_HEADERS_TIMEOUT':
      return give('call_timeout', `${place} accepted the request and did not answer in time.`, {
        owner: 'server',
      });
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return give('too_large', `${place} answered with headers that are too large.`, { owner: 'server' });
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return give('cancelled', `The connection to ${place} was closed.`, { owner: 'plugboard' });
    default:
      return other(root, code, place, give);
  }
}

/** The address as a person would type it, without path, query and credentials. */
export function placeOf(url: URL): string {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  return `${url.hostname}:${url.port === '' ? (secure ? '443' : '80') : url.port}`;
}

type Give = (
  kind: PlugError['code'],
  message: string,
  rest: Omit<PlugErrorOptions, 'cause' | 'details'>,
) => PlugError;

function other(root: unknown, code: string, place: string, give: Give): PlugError {
  if (code.startsWith('HPE_') || (root instanceof Error && root.name === 'HTTPParserError')) {
    return give('protocol_error', `${place} answered with something that is not HTTP.`, {
      owner: 'server',
      remedy: 'Check the port: another kind of service listens there.',
    });
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_BROTLI')) {
    return give('protocol_error', `${place} sent an answer that cannot be unpacked (${code}).`, {
      owner: 'server',
    });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return give('unreachable', `${place} does not speak TLS as we do (${code}).`, {
      owner: 'network',
      remedy: 'Check whether the address should start with http:// instead of https://.',
    });
  }
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED|ERR_TLS/.test(code)) {
    return give('unreachable', `The certificate of ${place} is not trusted (${code}).`, {
      owner: 'network',
      remedy: 'Let the service renew its certificate, or add its authority with NODE_EXTRA_CA_CERTS.',
    });
  }
  const why = code === 'unknown' ? messageOf(root) : code;
  return give('unreachable', `${place} could not be reached (${why}).`, { owner: 'network' });
}

/** Trying several addresses of a name fails with one error per address; the first one speaks for all. */
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
  return typeof code === 'string' ? code : 'unknown';
}
