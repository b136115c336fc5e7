/**
 * Names one identity at a server: our name for the account, and who has signed in under it. What was
 * decided for one is worth nothing for another. No name of an account has a space.
 */
export function accountId(account: string, identity: string | undefined): string {
  return identity === undefined ? account : `${account} ${identity}`;
}

/** Our name for the account, for people. */
export function accountOfId(id: string): string {
  return id.split(' ', 1)[0] ?? id;
}
