import { Refusal } from '../api/answer.ts';
import { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { parseJson } from '../base/parse-json.ts';
import { PEER_HEADER } from './auth.ts';
import { teamLimits } from './limits.ts';

/** DNS rebinding arrives with a foreign name in Host. */
export function checkHost(request: Request, url: string): void {
  if (request.headers.get('host')?.toLowerCase() === new URL(url).host) return;
  throw new Refusal(421, 'denied', 'The Host header does not name this team.');
}

/** A browser says where a request comes from; a page of another site gets nothing. */
export function checkSite(request: Request, url: string): void {
  checkHost(request, url);
  const own = new URL(url);
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const isForeign = origin !== null && origin !== own.origin;
  const isCross = site !== null && site !== 'same-origin' && site !== 'none';
  if (isForeign || isCross) throw new Refusal(403, 'denied', 'Requests from other web pages are refused.');
  // Cookies go along by themselves: a change needs the browser's word where it comes from.
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (changes && origin === null && request.headers.has('cookie')) {
    throw new Refusal(403, 'denied', 'A change with a cookie needs the Origin header.');
  }
}

/** Somebody followed a link, perhaps from elsewhere; nothing can read what they see there. */
export function isNavigation({ method, headers }: Request): boolean {
  if (method !== 'GET' || headers.get('origin') !== null) return false;
  const mode = headers.get('sec-fetch-mode');
  // Browsers without these headers are let through to what holds nothing but a form.
  return mode === null || (mode === 'navigate' && headers.get('sec-fetch-dest') === 'document');
}

/** The hub of a space has been told who asks. */
export function withoutCredentials(request: Request): Request {
  const headers = new Headers(request.headers);
  for (const name of ['cookie', 'authorization', 'origin', 'plug-folder']) headers.delete(name);
  return withHeaders(request, headers);
}

/** For the library, which counts by the address that we name. */
export function fromPeer(request: Request, peer: string | undefined): Request {
  const headers = new Headers(request.headers);
  headers.delete(PEER_HEADER);
  if (peer !== undefined) headers.set(PEER_HEADER, peer);
  return withHeaders(request, headers);
}

/** The listener's own requests can't be copied by the constructor. */
function withHeaders({ url, method, body, signal }: Request, headers: Headers): Request {
  return new Request(url, { method, headers, signal, ...(body ? { body, duplex: 'half' } : {}) });
}

export async function readText(request: Request, bytesMax: number): Promise<string> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length <= bytesMax) return await request.text();
  throw new PlugError('too_large', 'The body is too long, or does not say how long it is.', { owner: 'you' });
}

/** For the library, whose callers often name no type. */
export async function readJson(request: Request): Promise<Readonly<Record<string, unknown>>> {
  let input: unknown;
  const text = await readText(request, teamLimits.bodyBytesMax);
  try {
    input = parseJson(text);
  } catch {
    throw new PlugError('usage', 'The body is no JSON.', { owner: 'you' });
  }
  if (isObject(input)) return input;
  throw new PlugError('usage', 'The body is no JSON object.', { owner: 'you' });
}

/** An answer may stream for as long as it likes; the space stays until it has ended. */
export function whenDone(answered: Response, done: () => void): Response {
  if (!answered.body) {
    done();
    return answered;
  }
  let isDone = false;
  const once = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  // Not written in place: the types of browsers do not know “cancel” yet.
  const ends = { flush: once, cancel: once };
  const through = new TransformStream<Uint8Array, Uint8Array>(ends);
  return new Response(answered.body.pipeThrough(through), answered);
}

export function nothingHere(): Refusal {
  return new Refusal(404, 'not_found', 'There is nothing at this address.');
}
