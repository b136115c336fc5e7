import type { Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { httpStatusOf, rpcCodeOf } from './failures.ts';
import type { Era } from './manifest.ts';
import type { Peer } from './peer.ts';
import { declareAll, declareHost } from './host-answers.ts';
import type { HostHandlers } from './host.ts';

const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];
const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

const META = 'io.modelcontextprotocol/';
const UNSUPPORTED_VERSION = -32022;

/** What both sides agreed on. */
export interface Agreement {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

export interface HandshakeOptions {
  readonly server: string;
  readonly clientInfo: JsonObject;
  readonly clientCapabilities: JsonObject;
  /** An era that is already known: a legacy server need not be asked whether it is modern. */
  readonly prior: Era | undefined;
  /** A pipe is shared by all messages, so silence there is no outage. */
  readonly pipe: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly limits: Limits;
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
  return options.pipe ? askOnPipe(peer, options) : askOverHttp(peer, options);
}

/** A server that was old may have moved on; it then refuses the old way to begin. */
async function initializeOrDiscover(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  try {
    return await initialize(peer, options);
  } catch (error) {
    if (rpcCodeOf(error) === undefined || peer.ended) throw error;
    const modern = await discover(peer, options).catch(() => undefined); // then the first refusal counts
    if (modern) return modern;
    throw error;
  }
}

async function askOverHttp(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  const modern = await discover(peer, options);
  return modern ?? initialize(peer, options);
}

/**
 * Some old servers never answer a question that comes before `initialize`. Instead of waiting
 * out a limit and guessing, the second question follows the first after a short silence, and
 * whoever answers decides: a slow start is not mistaken for an old server.
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

/** Undefined when the server gave no sign of the modern era. */
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
      const other = mutualVersion(error);
      // The server names what it speaks: one more try with that, and no more than one.
      if (other !== undefined && corrected === undefined) return discover(peer, options, other);
      if (offersOnlyOtherModern(error)) throw versionError(options.server, error);
      return undefined;
    }
    if (rpcCodeOf(error) !== undefined) return undefined;
    const status = httpStatusOf(error);
    if (status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403) {
      return undefined;
    }
    throw error;
  }
}

function readDiscover(result: JsonObject): Agreement | undefined {
  const versions = result['supportedVersions'];
  const capabilities = result['capabilities'];
  if (!Array.isArray(versions) || !isObject(capabilities)) return undefined;
  const version = MODERN_VERSIONS.find((mine) => versions.includes(mine));
  if (version === undefined) return undefined;
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const info = meta[`${META}serverInfo`];
  const instructions = result['instructions'];
  return {
    era: 'modern',
    protocolVersion: version,
    serverInfo: isObject(info) ? info : {},
    capabilities: capabilities,
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

async function initialize(peer: Peer, options: HandshakeOptions): Promise<Agreement> {
  const result = await peer.request(
    'initialize',
    {
      protocolVersion: LEGACY_VERSIONS[0] ?? '',
      capabilities: options.clientCapabilities,
      clientInfo: options.clientInfo,
    },
    { timeoutMs: options.timeoutMs },
  );
  const version = result['protocolVersion'];
  if (typeof version !== 'string' || !LEGACY_VERSIONS.includes(version)) {
    throw new PlugError(
      'protocol_error',
      `${options.server} speaks MCP ${JSON.stringify(version)}, which we do not.`,
      {
        owner: 'server',
        server: options.server,
        remedy: 'Update the server, or update plugboard.',
        details: { offered: [...MODERN_VERSIONS, ...LEGACY_VERSIONS], answered: version },
      },
    );
  }
  const info = result['serverInfo'];
  const capabilities = result['capabilities'];
  const instructions = result['instructions'];
  return {
    era: 'legacy',
    protocolVersion: version,
    serverInfo: isObject(info) ? info : {},
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

function supportedIn(error: unknown): readonly string[] {
  const data = error instanceof PlugError ? error.details?.['rpcData'] : undefined;
  const supported = isObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported) ? supported.filter((each) => typeof each === 'string') : [];
}

function mutualVersion(error: unknown): string | undefined {
  const supported = supportedIn(error);
  return MODERN_VERSIONS.find((mine) => supported.includes(mine));
}

function offersOnlyOtherModern(error: unknown): boolean {
  const supported = supportedIn(error);
  return supported.length > 0 && !supported.some((version) => LEGACY_VERSIONS.includes(version));
}

function versionError(server: string, cause: unknown): PlugError {
  const theirs = supportedIn(cause).join(', ');
  return new PlugError('protocol_error', `${server} speaks only MCP ${theirs}, which we do not.`, {
    owner: 'server',
    server,
    remedy: 'Update plugboard, or an older version of the server.',
    cause,
  });
}

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
