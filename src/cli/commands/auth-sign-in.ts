import { ignore, PlugError, toPlugError, type ErrorCode } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { AccountView, Hub, SignInProgress, SignInRequest } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { DONE, WARNING, faint, type Piece } from '../output.ts';
import { withServerName, type Session } from '../session.ts';
import { unlockIfLocked } from './secrets-key.ts';
import { usage } from '../failures.ts';
import { defined } from '../../base/defined.ts';

export interface SignInArgs {
  readonly server: string;
  readonly account?: string;
  readonly clientId?: string;
  /** The client has a secret, which comes on standard input when nobody can be asked. */
  readonly clientSecret?: boolean;
  /** Of the redirect address that was registered with that client. */
  readonly callbackPort?: number;
  /** False: the address is only printed. */
  readonly browser: boolean;
}

/** `plug auth SERVER`: shows the address, waits for the browser or for the pasted address. */
export async function signIn(hub: Hub, args: SignInArgs, session: Session): Promise<ExitCode> {
  const { out, signal } = session;
  const { server } = args;
  await unlockIfLocked(hub, session);
  const request = await requestOf(args, session);
  const done = new AbortController();
  const until = AbortSignal.any([signal, done.signal]);
  const onProgress = (progress: SignInProgress): void => {
    const shown = showAddress(progress, args, session).then(() => takePaste(hub, progress, session, until));
    ignore(shown, 'the sign-in itself tells how it went');
  };
  out.progress(`Asking ${server} how to sign in`);
  try {
    const account = await withServerName(hub, server, () =>
      hub.accounts.signIn(request, { signal, onProgress }),
    );
    out.document({ account });
    out.line(DONE, sentence(account));
    out.line(faint(`Next: plug tools ${server}`));
    return exitCodes.ok;
  } catch (error) {
    throw stillSignedOut(error);
  } finally {
    done.abort(new Error('the sign-in is over'));
  }
}

/** A client's secret is asked for unseen, or read from standard input: never from the command line. */
async function requestOf(
  { server, account, clientId, clientSecret, callbackPort }: SignInArgs,
  { terminal, signal }: Session,
): Promise<SignInRequest> {
  const request = {
    server,
    ...defined({ account, callbackPort }),
  };
  if (clientId === undefined) {
    if (!clientSecret) return request;
    throw usage(
      '--client-secret goes with --client-id.',
      `plug auth ${server} --client-id ID --client-secret`,
    );
  }
  const secret = terminal.interactive
    ? await terminal.askHidden('Client secret (empty when it has none; it does not show): ', signal)
    : clientSecret
      ? await terminal.readLine(signal)
      : '';
  if (clientSecret && !secret) {
    throw usage(
      'No client secret came on standard input.',
      `plug auth ${server} --client-id ID --client-secret < FILE`,
    );
  }
  return { ...request, clientId, ...(secret ? { clientSecret: secret } : {}) };
}

async function showAddress(
  { address }: SignInProgress,
  { browser, server }: SignInArgs,
  { out, hubs, terminal }: Session,
): Promise<void> {
  // With --json the answer alone goes to standard output.
  const say = (...pieces: readonly Piece[]): void => (out.json ? out.note(...pieces) : out.line(...pieces));
  const opened = browser && (await hubs.openAddress(address));
  say(
    opened
      ? `A browser has been opened to sign in to ${server}. If it has not, open this address:`
      : `Open this address in a browser to sign in to ${server}:`,
  );
  say(`  ${address}`);
  const minutes = Math.round(limits.signInTimeoutMs / 60_000);
  say(
    faint('If that browser is on another machine, '),
    faint('its last page cannot be reached: copy the address of that page and paste it here'),
    faint(terminal.interactive ? '.' : ', on standard input.'),
    faint(` You have ${minutes} minutes.`),
  );
}

/** Reads lines until one is the address that the browser ended at. */
async function takePaste(
  hub: Hub,
  { id }: SignInProgress,
  { out, terminal }: Session,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const line = await terminal.readLine(signal);
    if (line === undefined) return; // nothing comes any more, but the browser may
    const address = line.trim();
    if (address === '') continue;
    if (isCallback(address)) return hub.accounts.answer({ id, address });
    out.note(
      WARNING,
      'That is not the address of the last page: it starts with http://127.0.0.1 and has “state=” in it.',
    );
  }
}

function isCallback(text: string): boolean {
  return URL.canParse(text) && new URL(text).searchParams.has('state');
}

function sentence({ server, account, displayName, isDefault }: AccountView): string {
  const who = displayName ?? (account === 'default' ? undefined : account);
  const as = who === undefined ? '' : ` as ${who}`;
  const note = isDefault ? '' : ` It is not the default: plug auth default ${server} ${account}`;
  return `Signed in to ${server}${as}.${note}`;
}

/** However it failed, nobody is signed in: scripts see that in the exit code, people read why. */
function stillSignedOut(error: unknown): unknown {
  const failure = toPlugError(error);
  if (!FAILED_SIGN_INS.has(failure.code)) return error;
  const { message, owner, remedy, server, code } = failure;
  return new PlugError('sign_in_needed', message, {
    owner,
    remedy,
    ...(server === undefined ? {} : { server }),
    details: { ...failure.details, reason: code },
    cause: error,
  });
}

const FAILED_SIGN_INS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'denied',
  'protocol_error',
  'server_error',
  'unreachable',
  'rate_limited',
  'too_large',
  'call_timeout',
]);
