import type { AccountView, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderTable } from '../render/table.ts';
import { withServerName, type Session } from '../session.ts';

/** `plug auth list`: who we are at each server. */
export async function listAccounts(
  hub: Hub,
  { server }: { readonly server: string | undefined },
  { out, clock }: Session,
): Promise<ExitCode> {
  const list = (): Promise<readonly AccountView[]> =>
    hub.accounts.list(server === undefined ? {} : { server });
  const accounts = server === undefined ? await list() : await withServerName(hub, server, list);
  out.document({ accounts });
  if (out.json) return exitCodes.ok;
  if (accounts.length === 0) {
    out.line('Nobody is signed in anywhere. Sign in with: plug auth SERVER');
    return exitCodes.ok;
  }
  const lines = renderTable({
    width: out.width,
    columns: [
      { title: '' },
      { title: 'SERVER' },
      { title: 'ACCOUNT' },
      { title: 'CONNECTED AS', flexible: true },
      { title: 'SIGN-IN', flexible: true },
      { title: 'NEXT', flexible: true },
    ],
    rows: accounts.map((account) => [
      account.signedIn ? { text: '●', style: 'good' } : { text: '◐', style: 'warn' },
      { text: account.server, style: 'strong' },
      { text: account.isDefault ? `${account.account} (default)` : account.account },
      { text: account.displayName ?? '' },
      { text: signInText(account, clock.now()), style: 'faint' },
      { text: account.signedIn ? '' : `→ ${signInCommand(account)}` },
    ]),
  });
  for (const line of lines) out.line(...line);
  return exitCodes.ok;
}

/** `plug auth logout`: the tokens are forgotten here, and revoked where the server offers it. */
export async function logOut(
  hub: Hub,
  { server, account }: { readonly server: string; readonly account: string | undefined },
  { out }: Session,
): Promise<ExitCode> {
  const given = account === undefined ? {} : { account };
  await withServerName(hub, server, () => hub.accounts.signOut({ server, ...given }));
  out.document({ server, ...given, signedOut: true });
  out.line({ style: 'good', text: '✔ ' }, `Signed out of ${server}; its tokens are gone.`);
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
  out.line({ style: 'good', text: '✔ ' }, `${request.server} is used as ${request.account} from now on.`);
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
