import { defined } from '../../base/defined.ts';
import { PlugError, ignore, toPlugError, type ErrorCode } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { AccountView, Hub, SignInProgress, SignInRequest } from '../../hub/hub.ts';
import { keyFields } from '../../servers/own-keys.ts';
import { titleOfName } from '../../servers/plans/needs.ts';
import { usage } from '../failures.ts';
import { DONE, WARNING, faint, strong, type Piece } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { withServerName, type HubSession, type OfServer, type Session, type Texts } from '../session.ts';
import { unlockIfLocked } from './secrets.ts';

export async function auth(args: Omit<SignInArgs, 'server'> & OfServer, session: HubSession): Promise<void> {
  const { server, ...flags } = args;
  return server === undefined ? listAccounts({}, session) : signIn({ server, ...flags }, session);
}

export async function listAccounts(of: OfServer, { hub, out, clock }: HubSession): Promise<void> {
  const accounts = await withServerName(hub, of.server, () => hub.accounts.list(of));
  out.document({ accounts });
  printTable(
    out,
    ['', 'SERVER', 'ACCOUNT', flexible('CONNECTED AS'), flexible('SIGN-IN'), flexible('NEXT')],
    accounts.map((account) => [
      account.signedIn ? { text: '●', style: 'good' } : { text: '◐', style: 'warn' },
      strong(account.server),
      account.isDefault ? `${account.account} (default)` : account.account,
      account.displayName ?? '',
      faint(signInText(account, clock.now())),
      account.signedIn
        ? ''
        : `→ plug auth ${account.server}${account.isDefault ? '' : ` --account ${account.account}`}`,
    ]),
    'No accounts are signed in. Sign in with: plug auth SERVER',
  );
}

export async function logOut(request: AccountArgs & Texts<'account'>, session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { server } = request;
  await withServerName(hub, server, () => hub.accounts.signOut(request));
  out.document({ ...request, signedOut: true });
  out.line(DONE, `Signed out of ${server}. Its tokens are deleted.`);
}

export async function chooseAccount(
  request: { readonly server: string; readonly account: string },
  { hub, out }: HubSession,
): Promise<void> {
  await withServerName(hub, request.server, () => hub.accounts.setDefault(request));
  out.document({ ...request, isDefault: true });
  out.line(DONE, `${request.server} now uses the account ${request.account}.`);
}

function signInText({ signedIn, expiresAt, issuer, keys }: AccountView, now: number): string {
  if (keys) return 'its own keys';
  if (!signedIn) return 'needs sign-in';
  const at = issuer === undefined ? '' : ` at ${issuer}`;
  if (expiresAt === undefined) return `signed in${at}`;
  return expiresAt > now ? `signed in${at}, renews automatically` : `signed in${at}, renews on next use`;
}

interface AccountArgs {
  readonly server: string;
}

interface SignInArgs extends AccountArgs, Texts<'account' | 'clientId'> {
  readonly clientSecret?: boolean;
  readonly callbackPort?: number;
  readonly browser: boolean;
}

async function signIn(args: SignInArgs, session: HubSession): Promise<void> {
  const { hub, out, signal } = session;
  const { server } = args;
  await unlockIfLocked(session);
  const fields = await keyFieldsOf(hub, server);
  if (fields.length > 0) return giveKeys(fields, args, session);
  const request = await requestOf(args, session);
  const done = new AbortController();
  const until = AbortSignal.any([signal, done.signal]);
  const onProgress = (progress: SignInProgress): void => {
    const shown = showAddress(progress, args, session).then(() => takePaste(progress, session, until));
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
  } catch (error) {
    throw stillSignedOut(error);
  } finally {
    done.abort(new Error('the sign-in is over'));
  }
}

/** Where a server takes keys, an account is a set of keys. */
async function giveKeys(
  fields: readonly string[],
  { server, account }: SignInArgs,
  { hub, out, signal, terminal }: HubSession,
): Promise<void> {
  const values: Record<string, string> = {};
  for (const field of fields) {
    const title = titleOfName(field);
    const value = terminal.interactive
      ? await terminal.askHidden(`${title} (hidden as you type): `, signal)
      : await terminal.readLine(signal);
    if (!value) throw usage(`${title} is empty: nothing was saved.`, `plug auth ${server} < FILE`);
    values[field] = value.trim();
  }
  const given = await out.working(`Trying ${server}`, () =>
    hub.accounts.setKeys({ server, values, ...defined({ account }) }, { signal }),
  );
  out.document({ account: given });
  const note = given.isDefault ? '' : ` It is not the default: plug auth default ${server} ${given.account}`;
  out.line(DONE, `The key of ${server} works and is in the vault, as account ${given.account}.${note}`);
}

async function keyFieldsOf(hub: Hub, server: string): Promise<readonly string[]> {
  const definition = await withServerName(hub, server, () => hub.servers.definition({ id: server }));
  return keyFields(definition);
}

/** A client's secret is asked for unseen, or read from standard input: never from the command line. */
async function requestOf(args: SignInArgs, { terminal, signal }: Session): Promise<SignInRequest> {
  const { server, account, clientId, clientSecret, callbackPort } = args;
  const request = { server, ...defined({ account, callbackPort }) };
  const line = `plug auth ${server} --client-id ID --client-secret`;
  if (clientId === undefined) {
    if (!clientSecret) return request;
    throw usage('--client-secret goes with --client-id.', line);
  }
  const secret = terminal.interactive
    ? await terminal.askHidden('Client secret (empty when it has none; hidden): ', signal)
    : clientSecret
      ? await terminal.readLine(signal)
      : '';
  if (clientSecret && !secret) throw usage('No client secret came on standard input.', `${line} < FILE`);
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

async function takePaste({ id }: SignInProgress, { hub, out, terminal }: HubSession, signal: AbortSignal) {
  for (;;) {
    const line = await terminal.readLine(signal);
    if (line === undefined) return; // stdin has ended, but the browser may still answer
    const address = line.trim();
    if (address === '') continue;
    if (URL.canParse(address) && new URL(address).searchParams.has('state'))
      return hub.accounts.answer({ id, address });
    out.note(WARNING, NOT_A_CALLBACK);
  }
}

const NOT_A_CALLBACK =
  'That is not the address of the last page: it starts with http://127.0.0.1 and has “state=” in it.';

function sentence({ server, account, displayName, isDefault }: AccountView): string {
  const who = displayName ?? (account === 'default' ? undefined : account);
  const as = who === undefined ? '' : ` as ${who}`;
  const note = isDefault ? '' : ` It is not the default: plug auth default ${server} ${account}`;
  return `Signed in to ${server}${as}.${note}`;
}

/** However it failed, you aren't signed in: the exit code says so, the message says why. */
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
