import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { secretBytes } from '../base/ids.ts';
import { canonicalJson, isObject, type JsonObject } from '../base/json.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/** What a retry must repeat: the host that was asked, and its request. */
export interface Subject {
  readonly principal: string;
  /** The link or the named host, within its scope. */
  readonly host: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Aborts when the host is known to have gone. */
  readonly gone?: AbortSignal | undefined;
}

interface Bound {
  readonly host: string;
  readonly request: string;
}

/** A call that waits in this hub. */
export interface RequestState {
  readonly call: string;
  readonly round: number;
}

/** Our `requestState`: hosts can neither read nor change it, and only the host that was asked can use it. */
export class StateSeal {
  /** Made with the process: states from before a restart don't open. */
  readonly #key = secretBytes(KEY_BYTES);

  seal(state: RequestState, of: Subject): string {
    const iv = secretBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const text = JSON.stringify({ ...state, bound: boundTo(of) });
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Throws for a state that is not ours, another host's, or of another request. */
  open(text: unknown, of: Subject): RequestState {
    const sealed = typeof text === 'string' ? this.#read(text) : undefined;
    const bound = sealed && boundTo(of);
    if (!sealed || sealed.bound.host !== bound?.host) throw unknownState();
    if (sealed.bound.request !== bound.request) throw otherRequest();
    return sealed;
  }

  #read(text: string): (RequestState & { readonly bound: Bound }) | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // A different encoding of the same bytes isn't ours.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      const state: unknown = JSON.parse(body.toString('utf8'));
      return isObject(state) ? (state as unknown as RequestState & { bound: Bound }) : undefined; // sealed here
    } catch {
      return undefined; // changed on its way, or sealed with another key
    }
  }
}

/** The order of keys in the arguments does not matter. */
function boundTo({ host, method, params }: Subject): Bound {
  const { name, uri, arguments: args = {} } = params;
  return { host: digest(host), request: digest(canonicalJson([method, name ?? uri ?? null, args])) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function unknownState(): RpcError {
  return new RpcError(
    rpcCodes.invalidParams,
    'This requestState is not valid here: it was changed, used already, belongs to another host, or its call has ended. Make the call again.',
  );
}

function otherRequest(): RpcError {
  return new RpcError(
    rpcCodes.invalidParams,
    'This requestState belongs to a request with another name or other arguments. Repeat those, or make a new call without requestState.',
  );
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
