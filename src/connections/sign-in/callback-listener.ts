import type { Remedy } from '../../base/remedy.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { guarded } from '../../base/faults.ts';
import { isOwnHost } from '../../base/own-host.ts';
import { isOwnPeer, peerOf } from '../../base/peer-owner.ts';
import { validateAuthorizationResponseIssuer } from '@modelcontextprotocol/client';
import { PlugError, type Owner } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Bounds } from '../limits.ts';
import type { AuthorizationServer, OAuthClient } from './sign-in.ts';

interface CallbackPlace {
  /** 0 takes any free one. */
  readonly port: number;
  readonly path: string;
  /** Registered beforehand, so that others can guess it. */
  readonly known: boolean;
}

/** Below the ephemeral ports, so that it is seldom taken by accident. */
const CALLBACK_PORT = 17_584;
const CALLBACK_PATH = '/callback';

/**
 * A client registered by hand has one exact redirect address: many authorization servers compare the port,
 * too, although RFC 8252 §7.3 says that they must not. A published document names only the path. A
 * registration for this one sign-in can have an address that cannot be guessed.
 */
export function callbackPlaceOf(
  client: OAuthClient | 'register',
  { port, ids }: { readonly port: number | undefined; readonly ids: Ids },
): CallbackPlace {
  if (client === 'register') {
    if (port === undefined) return { port: 0, path: `/${ids.next('callback')}`, known: false };
    return { port, path: CALLBACK_PATH, known: true };
  }
  const fallback = client.kind === 'manual' ? CALLBACK_PORT : 0;
  return { port: client.callbackPort ?? port ?? fallback, path: CALLBACK_PATH, known: true };
}

/** To be registered by hand. */
export function redirectUriAt(port: number | undefined): string {
  return `http://127.0.0.1:${port ?? CALLBACK_PORT}${CALLBACK_PATH}`;
}

export interface CallbackListener extends AsyncDisposable {
  readonly redirectUri: string;
  /** Resolves with the first request that brings an answer; any other is turned away. */
  readonly answer: Promise<URLSearchParams>;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly place: CallbackPlace;
  readonly state: string;
}

/** Waits on loopback for the browser to come back, once. */
export async function listenForCallback({ place, state }: ListenOptions): Promise<CallbackListener> {
  const { path } = place;
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  let answered = false;
  const answerRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = (status: number, body: string): void => {
      response.writeHead(status, HEADERS).end(body);
    };
    // The browser was sent here under the name of the redirect address, and no other.
    if (!isOwnHost(request.headers.host, request.socket.localPort ?? 0))
      return reply(403, pageOf(ANOTHER_NAME));
    // The target may be no valid address at all, such as “//”.
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    if (!url || request.method !== 'GET' || url.pathname !== path || answered) {
      return reply(404, 'Nothing is here.');
    }
    // Any web page can open an address that can be guessed: it must not end the waiting sign-in.
    // A wrong answer at an address that cannot be guessed is reported.
    if (place.known && url.searchParams.get('state') !== state) return reply(400, pageOf(FOREIGN));
    // Another user of the machine could read the address and sign us in as somebody else.
    if (!(await isOwnPeer(peerOf(request.socket)))) return reply(403, pageOf(ANOTHER_USER));
    reply(200, pageOf(DONE));
    answered = true;
    return resolve(url.searchParams);
  };
  const server = createServer(
    guarded('a request to the sign-in', answerRequest, (_request, response) => response.destroy()),
  );
  server.listen(place.port, '127.0.0.1');
  await once(server, 'listening');
  // Such as no file descriptor left for a connection.
  server.on('error', () => undefined);
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const close = (): Promise<void> => closeServer(server);
  return { redirectUri: `http://127.0.0.1:${port}${path}`, answer, close, [Symbol.asyncDispose]: close };
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  server.closeAllConnections();
  await closed;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

const DONE = 'That is all. You can close this page and go back to Plugboard.';
const ANOTHER_USER =
  'This sign-in belongs to another user of this machine, or the system does not say whose browser this is. Copy the address of this page and paste it where you began.';
const ANOTHER_NAME =
  'This address was opened under another name than 127.0.0.1, so Plugboard did not take the answer and still waits. Open the address of the sign-in again.';
const FOREIGN = 'This page does not belong to the sign-in that Plugboard is waiting for. That one continues.';

function pageOf(sentence: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Plugboard</title>
<body style="font: 1.1rem system-ui; margin: 20vh auto; max-width: 30rem; text-align: center">
<p>${sentence}</p>`;
}

export interface WaitOptions extends Bounds {
  readonly server: string;
  /** The address that the browser ended at, where it runs on another machine. */
  readonly pasted?: Promise<string> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Tries again. */
  readonly remedy: Remedy;
}

/** The first of: the browser, a pasted address, the timeout. */
export async function waitForAnswer(
  came: Promise<URLSearchParams>,
  { clock, limits, server, signal, pasted, remedy }: WaitOptions,
): Promise<URLSearchParams> {
  const done = new AbortController();
  const until = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
  const timeout = clock.sleep(limits.signInTimeoutMs, until).then(() => {
    const minutes = Math.round(limits.signInTimeoutMs / 60_000);
    const message = `The sign-in to ${server} was not completed within ${minutes} minutes.`;
    throw new PlugError('sign_in_needed', message, { owner: 'you', server, remedy });
  });
  const byHand = pasted?.then((address) => {
    if (URL.canParse(address.trim())) return new URL(address.trim()).searchParams;
    const message = 'That is not the address that the browser ended at.';
    throw new PlugError('usage', message, { owner: 'you', server, remedy });
  });
  try {
    return await Promise.race([came, timeout, ...(byHand ? [byHand] : [])]);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new PlugError('cancelled', `The sign-in at ${server} was cancelled.`, { owner: 'you', server });
  } finally {
    done.abort();
  }
}

export interface CheckOptions extends Pick<WaitOptions, 'server' | 'remedy'> {
  readonly state: string;
  readonly metadata: AuthorizationServer;
}

/** Answers the code, if the answer is ours, from the right issuer, and not a refusal. */
export function checkAnswer(
  answer: URLSearchParams,
  { server, state, metadata, remedy }: CheckOptions,
): string {
  const refuse = (message: string, owner: Owner = 'server'): PlugError =>
    new PlugError('denied', message, { owner, server, remedy });
  if (answer.get('state') !== state) throw refuse(`The answer to the sign-in at ${server} was not for us.`);
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    });
  } catch {
    // Its text is not repeated: on a mismatch its origin is unknown.
    throw refuse(`The answer to the sign-in at ${server} came from another issuer.`);
  }
  const error = answer.get('error');
  if (error === 'access_denied') throw refuse(`You did not let us into ${server}.`, 'you');
  if (error !== null) throw refuse(`The authorization server of ${server} refused: ${error.slice(0, 100)}.`);
  const code = answer.get('code');
  if (code === null) throw refuse(`The answer to the sign-in at ${server} has no code.`);
  return code;
}
