import { SdkHttpError } from '@modelcontextprotocol/client';
import { isObject } from '../../base/json.ts';

/**
 * Whether a failed Streamable HTTP handshake looks like a server of the older HTTP+SSE transport
 * (MCP 2025-11-25, transports, “Backwards Compatibility”). Such a server has no use for a POST
 * at this address and says so with one of a few statuses. Whoever asks for sign-in, breaks down,
 * is not there, or argues about the request itself in JSON-RPC, is not of that kind.
 */
export function wantsSse(error: unknown): boolean {
  const http = httpErrorIn(error);
  if (http === undefined) return false;
  return POST_UNWANTED.has(http.status) || (POST_UNKNOWN.has(http.status) && !speaksJsonRpc(http));
}

/** Said in whatever words, these mean that a POST with JSON has no place here. */
const POST_UNWANTED = new Set([405, 406, 415]);
/** These may also come from an MCP endpoint that disliked the content; its words tell. */
const POST_UNKNOWN = new Set([400, 404]);

/** The SDK wraps what went wrong during version negotiation. */
function httpErrorIn(error: unknown): SdkHttpError | undefined {
  let inner = error;
  for (let depth = 0; depth < 4 && inner instanceof Error; depth += 1) {
    if (inner instanceof SdkHttpError) return inner;
    inner = inner.cause;
  }
  return undefined;
}

function speaksJsonRpc(error: SdkHttpError): boolean {
  const { text } = error.data;
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return false;
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && body['jsonrpc'] === '2.0';
  } catch {
    return false;
  }
}
