import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../registry/registry.ts';

/** Release hosts redirect to their storage. */
const HOPS_MAX = 5;

/** Nothing of a file with a wrong checksum is returned. */
export async function fetchBundle(
  { url, sha256 }: { readonly url: string; readonly sha256: string },
  {
    fetch,
    limits,
    signal,
  }: { readonly fetch: FetchPort; readonly limits: Limits; readonly signal?: AbortSignal },
): Promise<Uint8Array> {
  const bytes = await download(url, { fetch, limits, signal });
  const sum = createHash('sha256').update(bytes).digest();
  const wanted = Buffer.from(sha256, 'hex');
  if (wanted.length === sum.length && timingSafeEqual(sum, wanted)) return bytes;
  throw new PlugError(
    'denied',
    'The downloaded bundle is not the one that was published: its sha256 differs.',
    {
      owner: 'server',
      remedy: 'Do not use it. Tell its maker, or look for a newer version.',
      details: { url, wanted: sha256, found: sum.toString('hex') },
    },
  );
}

interface Fetching {
  readonly fetch: FetchPort;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** The checksum of a bundle that was published without one: what is there now is what will be used. */
export async function measureBundle(url: string, fetching: Fetching): Promise<string> {
  return createHash('sha256')
    .update(await download(url, fetching))
    .digest('hex');
}

/** A bundle that the user has on this machine. */
async function readBundleFile(url: URL, limits: Limits): Promise<Uint8Array> {
  try {
    if ((await stat(url)).size > limits.bundleBytesMax) throw tooLarge(url, limits);
    return new Uint8Array(await readFile(url));
  } catch (error) {
    if (error instanceof PlugError) throw error;
    const message = `The bundle ${decodeURIComponent(url.pathname)} cannot be read: ${messageOf(error)}.`;
    throw new PlugError('not_found', message, { owner: 'you', cause: error });
  }
}

async function download(from: string, { fetch, limits, signal }: Fetching): Promise<Uint8Array> {
  let url = new URL(from);
  if (url.protocol === 'file:') return await readBundleFile(url, limits);
  for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
    const answer = await fetch(url, { redirect: 'manual', ...(signal ? { signal } : {}) }).catch(
      (error: unknown) => {
        if (signal?.aborted) throw signal.reason;
        throw failed(url, messageOf(error), error);
      },
    );
    const location = answer.headers.get('location');
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      const next = new URL(location, url);
      // The checksum protects the content; this keeps a redirect off plain-text local services.
      if (next.protocol !== url.protocol) throw failed(url, 'it redirects to another protocol');
      url = next;
      continue;
    }
    if (answer.status !== 200) throw failed(url, `HTTP ${answer.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length > limits.bundleBytesMax) throw tooLarge(url, limits);
    return bytes;
  }
  throw failed(url, 'it redirects without end');
}

function failed(url: URL, why: string, cause?: unknown): PlugError {
  return new PlugError('unreachable', `The bundle could not be downloaded from ${url.host}: ${why}.`, {
    owner: 'network',
    remedy: 'Check the network, then try again.',
    cause,
  });
}

function tooLarge(url: URL, limits: Limits): PlugError {
  return failed(url, `it is larger than ${limits.bundleBytesMax} bytes`);
}
