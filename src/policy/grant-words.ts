import type { Grant } from './grant.ts';

/** A grant as a person would say it. `server` is the name under which its server is known. */
export function describeGrant(grant: Grant, server: string): string {
  return [whatOf(grant, server), untilOf(grant)].filter((part) => part !== '').join(', ');
}

/** How things are now, to be held against a grant. */
export interface Present {
  readonly now: number;
  /** Undefined when there is no such server any more. */
  readonly fingerprint: string | undefined;
  /** Undefined when the server has no such tool any more. */
  readonly hashOf: (tool: string) => string | undefined;
}

/** Why a grant does not hold any more, or nothing. */
export function staleness(grant: Grant, present: Present): string | undefined {
  const { scope, until } = grant;
  if (until !== undefined && present.now >= until) return `It ended ${dateOf(until)}.`;
  if (present.fingerprint === undefined) return 'Its server is not here any more.';
  if (present.fingerprint !== grant.fingerprint) {
    return 'Its server runs or contacts something else than when it was granted.';
  }
  if (scope.kind === 'reads') return undefined;
  const hash = present.hashOf(scope.tool);
  if (hash === undefined) return 'Its server has no such tool any more.';
  return hash === scope.hash ? undefined : 'The tool is not the one any more that it was granted for.';
}

function whatOf({ scope }: Grant, server: string): string {
  if (scope.kind === 'reads') return `Calls of every tool of ${server} that only reads`;
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

/** A day at its beginning is written without the hour. */
function dateOf(at: number): string {
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')} UTC`;
}
