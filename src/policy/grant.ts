import { accountOfId } from '../vault/account-id.ts';

/** Lets calls run without asking; bound to a person, a server and a definition. */
export interface Grant {
  readonly id: string;
  readonly principal: string;
  /** Another command or address is another server. */
  readonly server: string;
  readonly fingerprint: string;
  /** Valid only for this identity. */
  readonly account?: string;
  readonly scope: GrantScope;
  /** Epoch milliseconds; absent: until revoked. */
  readonly until?: number;
  /** Ends with the hub; never stored. */
  readonly session: boolean;
  /** Such as “plug grants add” or “approval appr_…”. */
  readonly source: string;
  readonly createdAt: number;
}

export type GrantScope =
  | { readonly kind: 'once'; readonly tool: string; readonly hash: string; readonly argsHash?: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly hash: string }
  /** Every read-only tool of the server, as pinned. */
  | { readonly kind: 'reads' }
  | {
      readonly kind: 'arguments';
      readonly tool: string;
      readonly hash: string;
      /** Dotted path → glob over the value as text. */
      readonly pattern: Readonly<Record<string, string>>;
    };

export function describeGrant(grant: Grant, server: string): string {
  const account = grant.account === undefined ? '' : `as the account ${accountOfId(grant.account)}`;
  return [whatOf(grant, server), account, untilOf(grant)].filter((part) => part !== '').join(', ');
}

export interface Present {
  readonly now: number;
  readonly fingerprint: string | undefined;
  readonly account: string | undefined;
  readonly hashOf: (tool: string) => string | undefined;
}

export function staleness(grant: Grant, present: Present): string | undefined {
  const { scope, until } = grant;
  if (until !== undefined && present.now >= until) return `It ended ${dateOf(until)}.`;
  if (present.fingerprint === undefined) return 'The server was removed.';
  if (present.fingerprint !== grant.fingerprint) {
    return 'The server changed since this was granted.';
  }
  if (present.account !== grant.account) return 'It was granted for another account.';
  if (scope.kind === 'reads') return undefined;
  const hash = present.hashOf(scope.tool);
  if (hash === undefined) return 'The server no longer has this tool.';
  return hash === scope.hash ? undefined : 'The tool changed since this was granted.';
}

function whatOf({ scope }: Grant, server: string): string {
  if (scope.kind === 'reads') return `Read-only tools of ${server}`;
  const tool = `${server}/${scope.tool}`;
  if (scope.kind === 'tool') return `Calls of ${tool}`;
  if (scope.kind === 'once') {
    return `One call of ${tool}${scope.argsHash === undefined ? '' : ' with exactly the approved arguments'}`;
  }
  const parts = Object.entries(scope.pattern).map(([path, glob]) => `${path} is ${glob}`);
  return `Calls of ${tool} where ${parts.join(' and ')}`;
}

function untilOf({ until, session }: Grant): string {
  if (until !== undefined) return `until ${dateOf(until)}`;
  return session ? 'until the hub stops' : '';
}

function dateOf(at: number): string {
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')} UTC`;
}
