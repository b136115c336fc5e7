import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { secretBytes } from '../base/ids.ts';
import { canonicalJson, isObject, type JsonObject } from '../base/json.ts';
import type { ServerRound } from '../connections/host.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/** What a retry must repeat: the host that was asked, and its request. */
export interface Subject {
  readonly principal: string;
  /** The link or the named host, within its scope. */
  readonly host: string;
  /** The named host, within its scope: a link does not outlive the hub. */
  readonly named: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Aborts when the host is known to have gone. */
  readonly gone?: AbortSignal | undefined;
}

interface Bound {
  readonly host: string;
  readonly named: string;
  readonly request: string;
}

/** A call that waits in this hub. */
export interface RequestState {
  readonly call: string;
  readonly round: number;
  /** Of a server that keeps nothing: enough to ask it again, also in another hub. */
  readonly server?: ServerRound;
}

interface Sealed extends RequestState {
  /** Of the hub that sealed it: links are counted anew in each. */
  readonly run: string;
  readonly bound: Bound;
}

/** Our `requestState`: hosts can neither read nor change it, and only the host that was asked can use it. */
export class StateSeal {
  readonly #key: Buffer;
  readonly #run = secretBytes(IV_BYTES).toString('base64url');

  /** With a key of its own, states from before a restart don't open. */
  constructor(key: Buffer = secretBytes(KEY_BYTES)) {
    this.#key = key;
  }

  seal(state: RequestState, of: Subject): string {
    const iv = secretBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const text = JSON.stringify({ ...state, run: this.#run, bound: boundTo(of) });
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Throws for a state that is not ours, another host's, or of another request. */
  open(text: unknown, of: Subject): RequestState {
    const sealed = typeof text === 'string' ? this.#read(text) : undefined;
    const bound = sealed && boundTo(of);
    if (!sealed || !bound) throw unknownState();
    const isOurs = sealed.run === this.#run;
    if (isOurs ? sealed.bound.host !== bound.host : sealed.bound.named !== bound.named) throw unknownState();
    if (sealed.bound.request !== bound.request) throw otherRequest();
    return sealed;
  }

  #read(text: string): Sealed | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // A different encoding of the same bytes isn't ours.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      const state: unknown = JSON.parse(body.toString('utf8'));
      return isObject(state) ? (state as unknown as Sealed) : undefined; // sealed here
    } catch {
      return undefined; // changed on its way, or sealed with another key
    }
  }
}

/** The order of keys in the arguments does not matter. */
function boundTo({ host, named, method, params }: Subject): Bound {
  const { name, uri, arguments: args = {} } = params;
  const who = { host: digest(host), named: digest(named) };
  return { ...who, request: digest(canonicalJson([method, name ?? uri ?? null, args])) };
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
