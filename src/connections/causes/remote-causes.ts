import type { PlugError } from '../../base/errors.ts';
import type { Remedy } from '../../base/remedy.ts';
import { editServer } from './edit-server.ts';
import type { FailureContext, Findings } from './explain.ts';

/** What the answer of an address, or its silence, means for a server that is reached there. */
export function ofRemote(
  { code, details }: PlugError,
  status: number | undefined,
  context: FailureContext,
): Findings | undefined {
  if (code !== 'protocol_error' && code !== 'internal' && code !== 'unreachable') return undefined;
  if (status !== undefined) return ofHttpStatus(status, context);
  const wrongAddress: Findings = { owner: 'you', remedy: editServer(context, 'url') };
  if (details?.['contentType'] !== undefined) return wrongAddress;
  const cause = details?.['cause'];
  if (typeof cause !== 'string') return undefined;
  // Nobody can have misspelt an address that nobody typed.
  if (cause === 'ENOTFOUND' && context.listed === true)
    return { owner: 'network', remedy: { do: 'say', text: 'Check your network and DNS, then try again.' } };
  // Some systems say so without a network, too.
  if (cause === 'ENOTFOUND') return { ...wrongAddress, adds: 'You may be offline, or the name is wrong.' };
  return NO_HTTP.test(cause) ? wrongAddress : undefined;
}

/** No TLS, or no HTTP there. */
const NO_HTTP = /^(?:EPROTO|ERR_SSL|HPE_)/;

/** HTTP answers that mean more than “the server broke the rules”. */
function ofHttpStatus(status: number, context: FailureContext): Findings | undefined {
  const editAddress: Findings = { owner: 'you', remedy: editServer(context, 'url') };
  const say = (text: string): Remedy => ({ do: 'say', text });
  // The place that saw the redirect has said where it leads.
  if (status >= 300 && status < 400) return editAddress;
  switch (status) {
    case 404:
    case 410:
      return { ...editAddress, adds: `There is no MCP server at this address. ${USUAL_PATHS}` };
    case 405:
    case 406:
    case 415:
      return { ...editAddress, adds: `The address answers, but not as an MCP server. ${USUAL_PATHS}` };
    case 408:
    case 504:
      return { owner: 'server', adds: 'It took too long.', remedy: { do: 'retry' } };
    case 413:
      return { owner: 'you', adds: 'The arguments are too large.', remedy: say('Send less at once.') };
    case 429:
      return { owner: 'server', adds: 'Too many requests.', remedy: { do: 'wait', seconds: 60 } };
    case 502:
    case 503:
      return { owner: 'server', adds: 'The service is down for now.', remedy: { do: 'wait', seconds: 60 } };
    default:
      if (status < 500) return undefined;
      return { owner: 'server', adds: 'The error is on the server’s side.', remedy: { do: 'retry' } };
  }
}

const USUAL_PATHS = 'Most servers are at /mcp, old ones at /sse.';
