import type { JsonObject } from '../base/json.ts';
import { envelope, type Agreement } from './handshake.ts';
import { declareAll, declareHost } from './host-answers.ts';
import type { HostHandlers } from './host.ts';

/** The reserved `_meta` of modern requests. Made once for each host: every call carries one. */
export class Envelopes {
  readonly #version: string;
  readonly #clientInfo: JsonObject;
  readonly #known = new WeakMap<object, JsonObject>();
  #forNobody: JsonObject | undefined;

  constructor({ protocolVersion }: Agreement, clientInfo: JsonObject) {
    this.#version = protocolVersion;
    this.#clientInfo = clientInfo;
  }

  /** Without handlers: for a request that nobody in particular has made. */
  of(handlers: HostHandlers | undefined, logLevel: string | undefined): JsonObject {
    const made = handlers ? this.#of(handlers) : (this.#forNobody ??= this.#make(declareAll()));
    return logLevel === undefined ? made : { ...made, 'io.modelcontextprotocol/logLevel': logLevel };
  }

  #of(handlers: HostHandlers): JsonObject {
    // What a host declares outlives the handlers of one request.
    const declared = handlers.capabilities ?? handlers;
    const known = this.#known.get(declared);
    if (known) return known;
    const made = this.#make(declareHost(handlers));
    this.#known.set(declared, made);
    return made;
  }

  #make(capabilities: JsonObject): JsonObject {
    return envelope(this.#version, this.#clientInfo, capabilities);
  }
}
