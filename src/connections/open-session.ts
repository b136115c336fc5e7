import type { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';
import type { HostHandlers } from './host.ts';
import type { AddressGuard } from './http/address-guard.ts';
import type { Fetch } from './http/capped-fetch.ts';
import type { Runtime } from './limits.ts';
import type { Era } from './manifest.ts';
import { openLocal, type LocalOptions } from './open-local.ts';
import type { Host, PooledServer } from './pool.ts';
import type { Session, SessionEvents } from './session.ts';
import type { Verdict } from './store.ts';
import type { FrameListener } from './traffic.ts';

export interface OpenedSession {
  readonly session: Session;
  endError(): PlugError;
  /** Ends the session and everything that was opened for it. May be called twice. */
  close(): Promise<void>;
}

/** Output of a local server besides its answers; readable after it has ended, too. */
export interface ServerOutput {
  readonly pid: number;
  readonly marker: string;
  stderr(lines: number): readonly string[];
  noise(): { readonly count: number; readonly lines: readonly string[] };
}

export interface OpenArguments {
  readonly server: PooledServer;
  /** The only host of the session; absent when several may share it. */
  readonly host: Host | undefined;
  /** The working folder of its users. */
  readonly cwd: string | undefined;
  /** Undefined means the default account. */
  readonly account: string | undefined;
  readonly handlers: HostHandlers;
  readonly clientInfo: JsonObject;
  readonly events: SessionEvents;
  readonly signal: AbortSignal;
  /** Failures since the server last was stable: after some, a start spends fewer processes. */
  readonly failures: number;
  readonly onAttempt: () => void;
  /** The server answers that it is busy: the request is sent again after this time. */
  readonly onBusy: (waitMs: number) => void;
  /** The server waits for its user to open this address. */
  readonly onSignIn: (address: string) => void;
  /** What has a limit of its own, as an installation has, takes no time from the server's start. */
  readonly untimed: <T>(work: () => Promise<T>) => Promise<T>;
  readonly startTimeoutMs: number;
  /** The era to speak if the server does; otherwise the newest. */
  readonly era: Era | undefined;
  readonly verdict: () => Promise<Verdict | undefined>;
  readonly remember: (verdict: Verdict) => Promise<void>;
  readonly onOutput: (output: ServerOutput) => void;
  /** A local server wrote something that is no message. */
  readonly onWritten?: () => void;
  readonly onFrame?: FrameListener;
}

/** With the account whose keys were filled in. */
export type ResolvedArguments = OpenArguments & { readonly keyAccount: string | undefined };

export type SessionOpener = (args: OpenArguments) => Promise<OpenedSession>;
export type OpenSession = (
  args: Pick<
    OpenArguments,
    'events' | 'signal' | 'failures' | 'onAttempt' | 'onBusy' | 'onSignIn' | 'untimed'
  >,
) => Promise<OpenedSession>;

export interface OpenerOptions extends LocalOptions, Runtime {
  /** Asked before a remote server's address is contacted. */
  readonly guard?: AddressGuard | undefined;
  /** Fills in placeholders and credentials, and finds the program of a package; a missing value is a named error. */
  readonly resolve: (
    server: Pick<PooledServer, 'definition' | 'key'>,
    where: {
      readonly folder: string;
      readonly account: string | undefined;
      readonly signal: AbortSignal;
      readonly untimed: OpenArguments['untimed'];
    },
  ) => Promise<{
    readonly endpoint: Endpoint;
    /** Whose keys were filled in, where there are several. */
    readonly account?: string;
  }>;
  /** Puts the account's token on every request. Answers its identity: a token of another one is never sent. */
  readonly signedIn: (
    definition: ServerDefinition,
    url: string,
    fetch: Fetch,
    account: string | undefined,
  ) => Promise<{ readonly fetch: Fetch; readonly account?: string }>;
}

export function createOpener(options: OpenerOptions): SessionOpener {
  return async (args) => {
    const { server, signal, untimed } = args;
    const where = { folder: args.cwd ?? server.folder, account: args.account, signal, untimed };
    const { endpoint, account } = await options.resolve(server, where);
    args.signal.throwIfAborted();
    if (endpoint.kind === 'stdio') return openLocal(endpoint, { ...args, keyAccount: account }, options);
    // The SDK and undici are large: a hub without remote servers never loads them.
    const { openRemote } = await import('./open-remote.ts');
    return openRemote(endpoint, { ...args, keyAccount: account }, options);
  };
}
