/** One identity at a server: our name for the account (which has no space), and who signed in under it. */
export function accountId(account: string, identity: string | undefined): string {
  return identity === undefined ? account : `${account} ${identity}`;
}

export function accountOfId(id: string): string {
  return id.split(' ', 1)[0] ?? id;
}
