import type { AccountView, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { flexible, printTable } from '../render/table.ts';
import { withServerName, type OfServer, type Session } from '../session.ts';
import type { SignInArgs } from './auth-sign-in.ts';
import { DONE, faint, strong } from '../output.ts';

/** `plug auth SERVER`: signs in; without a server, who we are at each. */
export async function auth(
  hub: Hub,
  { server, ...flags }: Omit<SignInArgs, 'server'> & { readonly server?: string },
  session: Session,
): Promise<ExitCode> {
  if (server === undefined) return await listAccounts(hub, {}, session);
  const { signIn } = await import('./auth-sign-in.ts');
  return await signIn(hub, { server, ...flags }, session);
}

/** `plug auth list`: who we are at each server. */
export async function listAccounts(hub: Hub, of: OfServer, { out, clock }: Session): Promise<ExitCode> {
  const accounts = await withServerName(hub, of.server, () => hub.accounts.list(of));
  out.document({ accounts });
  if (out.json) return exitCodes.ok;
  if (accounts.length === 0) {
    out.line('Nobody is signed in anywhere. Sign in with: plug auth SERVER');
    return exitCodes.ok;
  }
  printTable(
    out,
    ['', 'SERVER', 'ACCOUNT', flexible('CONNECTED AS'), flexible('SIGN-IN'), flexible('NEXT')],
    accounts.map((account) => [
      account.signedIn ? { text: '●', style: 'good' } : { text: '◐', style: 'warn' },
      strong(account.server),
      account.isDefault ? `${account.account} (default)` : account.account,
      account.displayName ?? '',
      faint(signInText(account, clock.now())),
      account.signedIn ? '' : `→ ${signInCommand(account)}`,
    ]),
  );
  return exitCodes.ok;
}

/** `plug auth logout`: the tokens are forgotten here, and revoked where the server offers it. */
export async function logOut(
  hub: Hub,
  request: { readonly server: string; readonly account?: string },
  { out }: Session,
): Promise<ExitCode> {
  const { server } = request;
  await withServerName(hub, server, () => hub.accounts.signOut(request));
  out.document({ ...request, signedOut: true });
  out.line(DONE, `Signed out of ${server}; its tokens are gone.`);
  return exitCodes.ok;
}

/** `plug auth default`: the account that calls use from now on. */
export async function chooseAccount(
  hub: Hub,
  request: { readonly server: string; readonly account: string },
  { out }: Session,
): Promise<ExitCode> {
  await withServerName(hub, request.server, () => hub.accounts.setDefault(request));
  out.document({ ...request, isDefault: true });
  out.line(DONE, `${request.server} is used as ${request.account} from now on.`);
  return exitCodes.ok;
}

function signInText({ signedIn, expiresAt, issuer }: AccountView, now: number): string {
  if (!signedIn) return 'needs sign-in';
  const at = issuer === undefined ? '' : ` at ${issuer}`;
  if (expiresAt === undefined) return `signed in${at}`;
  return expiresAt > now ? `signed in${at}, renewed by itself` : `signed in${at}, renewed on next use`;
}

function signInCommand({ server, account, isDefault }: AccountView): string {
  return isDefault ? `plug auth ${server}` : `plug auth ${server} --account ${account}`;
}
