import { ignore, PlugError } from '../base/errors.ts';
import { defined } from '../base/defined.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { httpStatusOf, rpcCodeOf, serverFailure } from './failures.ts';
import type { Bounds } from './limits.ts';
import type { Era } from './manifest.ts';
import type { Peer } from './peer.ts';
import { declareAll, declareHost } from './host-answers.ts';
import type { HostHandlers } from './host.ts';

const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];
const LEGACY_VERSIONS: readonly string[] = '2025-11-25 2025-06-18 2025-03-26 2024-11-05 2024-10-07'.split(
  ' ',
);

const META = 'io.modelcontextprotocol/';
const UNSUPPORTED_VERSION = -32022;

export interface Agreement {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  /** What else the server said of itself, `_meta` included. */
  readonly extra?: JsonObject;
}

export interface HandshakeOptions extends Bounds {
  readonly server: string;
  readonly clientInfo: JsonObject;
  readonly clientCapabilities: JsonObject;
  /** A server known to be legacy is not asked whether it is modern. */
  readonly prior: Era | undefined;
  /** All messages share a pipe, so silence there is no outage. */
  readonly pipe: boolean;
  readonly timeoutMs: number;
}

/** The reserved `_meta` fields that every modern request carries (spec 2026-07-28, lifecycle). */
function envelope(version: string, clientInfo: JsonObject, capabilities: JsonObject): JsonObject {
  return {
    [`${META}protocolVersion`]: version,
    [`${META}clientInfo`]: clientInfo,
    [`${META}clientCapabilities`]: capabilities,
  };
}

export async function shakeHands(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  if (options.prior === 'legacy') return initializeOrDiscover(peer, options);
  if (options.pipe) return askOnPipe(peer, options);
  return (await discover(peer, options)) ?? initialize(peer, options);
}

/** A legacy server may have been updated; it then refuses `initialize`. */
async function initializeOrDiscover(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  try {
    return await initialize(peer, options);
  } catch (error) {
    if (!isRefused(error) || peer.ended) throw error;
    const modern = await discover(peer, options).catch(() => undefined); // then the first refusal counts
    if (modern) return modern;
    throw error;
  }
}

/**
 * Some old servers never answer a question before `initialize`. After a short silence the second
 * question follows the first, and the first answer decides: a slow start is not taken for an old server.
 */
async function askOnPipe(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  const modern = discover(peer, options);
  const quiet = new AbortController();
  const silence = options.clock.sleep(options.limits.probeSilenceMs, quiet.signal).then(
    () => 'silence' as const,
    () => undefined, // the question was answered meanwhile
  );
  try {
    const first = await Promise.race([modern, silence]);
    if (first !== 'silence') return first ?? (await initialize(peer, options));
    const legacy = initialize(peer, options);
    // If the late answer to discover is a yes, the outcome of initialize no longer matters.
    ignore(legacy, 'the winner of the race is what counts');
    const winner = await Promise.race([modern, legacy]);
    return winner ?? (await legacy);
  } finally {
    quiet.abort();
  }
}

/** Undefined when the server shows no sign of the modern era. */
async function discover(
  peer: Peer,
  options: HandshakeOptions,
  corrected?: string,
): Promise<Agreement | undefined> {
  const version = corrected ?? MODERN_VERSIONS[0] ?? '';
  const params = { _meta: envelope(version, options.clientInfo, options.clientCapabilities) };
  try {
    return readDiscover(await peer.request('server/discover', params, { timeoutMs: options.timeoutMs }));
  } catch (error) {
    if (rpcCodeOf(error) === UNSUPPORTED_VERSION) {
      const supported = supportedIn(error);
      const other = MODERN_VERSIONS.find((mine) => supported.includes(mine));
      // The server names its versions: one more try with a common one, and no more than one.
      if (other !== undefined && corrected === undefined) return discover(peer, options, other);
      const legacy = supported.some((version) => LEGACY_VERSIONS.includes(version));
      if (supported.length > 0 && !legacy) throw versionError(options.server, supported, error);
      return undefined;
    }
    if (isRefused(error)) return undefined;
    throw error;
  }
}

/** The server answers, but not to this question. */
function isRefused(error: unknown): boolean {
  if (rpcCodeOf(error) !== undefined) return true;
  const status = httpStatusOf(error) ?? 0;
  return status >= 400 && status < 500 && status !== 401 && status !== 403;
}

function readDiscover(result: JsonObject): Agreement | undefined {
  const versions = result['supportedVersions'];
  const capabilities = result['capabilities'];
  if (!Array.isArray(versions) || !isObject(capabilities)) return undefined;
  const version = MODERN_VERSIONS.find((mine) => versions.includes(mine));
  if (version === undefined) return undefined;
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  return agreed('modern', version, meta[`${META}serverInfo`], result);
}

function agreed(era: Era, protocolVersion: string, serverInfo: unknown, result: JsonObject): Agreement {
  const { capabilities, instructions } = result;
  return {
    era,
    protocolVersion,
    serverInfo: isObject(serverInfo) ? (serverInfo as JsonObject) : {}, // JSON came in
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(typeof instructions === 'string' ? { instructions } : {}),
    ...defined({ extra: extraOf(result) }),
  };
}

/** Undefined for most servers. */
function extraOf(result: JsonObject): JsonObject | undefined {
  const { _meta, ...others } = result;
  const meta = isObject(_meta) ? unknownOf(_meta, (key) => key.startsWith(META)) : [];
  const extra = unknownOf(others, (key) => KNOWN.has(key));
  if (meta.length > 0) extra.push(['_meta', Object.fromEntries(meta)]);
  if (extra.length === 0) return undefined;
  const found: JsonObject = Object.fromEntries(extra);
  return JSON.stringify(found).length > EXTRA_CHARS_MAX ? undefined : found;
}

function unknownOf(object: JsonObject, isKnown: (key: string) => boolean): [string, Json | undefined][] {
  return Object.entries(object).filter(([key]) => !isKnown(key));
}

const EXTRA_CHARS_MAX = 64 * 1024;

/** Those that are read, and those of our own link. */
const KNOWN: ReadonlySet<string> = new Set(
  'protocolVersion supportedVersions capabilities serverInfo instructions resultType ttlMs cacheScope'.split(
    ' ',
  ),
);

async function initialize(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  const { server, clientInfo, clientCapabilities: capabilities, timeoutMs } = options;
  const params = { protocolVersion: LEGACY_VERSIONS[0] ?? '', capabilities, clientInfo };
  const result = await peer.request('initialize', params, { timeoutMs });
  const version = result['protocolVersion'];
  if (typeof version === 'string' && LEGACY_VERSIONS.includes(version)) {
    return agreed('legacy', version, result['serverInfo'], result);
  }
  const message = `${server} speaks MCP ${JSON.stringify(version)}, which we do not.`;
  throw serverFailure('protocol_error', server, message, {
    remedy: 'Update the server, or update plugboard.',
    details: { offered: [...MODERN_VERSIONS, ...LEGACY_VERSIONS], answered: version },
  });
}

function supportedIn(error: unknown): readonly string[] {
  const data = error instanceof PlugError ? error.details?.['rpcData'] : undefined;
  const supported = isObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported) ? supported.filter((each) => typeof each === 'string') : [];
}

function versionError(server: string, supported: readonly string[], cause: unknown): PlugError {
  const message = `${server} speaks only MCP ${supported.join(', ')}, which we do not.`;
  const remedy = 'Update plugboard, or an older version of the server.';
  return serverFailure('protocol_error', server, message, { remedy, cause });
}

/** The `_meta` of modern requests. Every call carries one, so it is made once for each host. */
export class Envelopes {
  readonly #version: string;
  readonly #clientInfo: JsonObject;
  readonly #known = new WeakMap<object, JsonObject>();
  #withoutHost: JsonObject | undefined;

  constructor({ protocolVersion }: Agreement, clientInfo: JsonObject) {
    this.#version = protocolVersion;
    this.#clientInfo = clientInfo;
  }

  /** Without handlers: for a request that no host has made. */
  of(handlers: HostHandlers | undefined, logLevel: string | undefined): JsonObject {
    const made = handlers ? this.#of(handlers) : (this.#withoutHost ??= this.#make(declareAll()));
    return logLevel === undefined ? made : { ...made, 'io.modelcontextprotocol/logLevel': logLevel };
  }

  #of(handlers: HostHandlers): JsonObject {
    // A host's capabilities outlive the handlers of one request.
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
