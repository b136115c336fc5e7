import { matchesGlob } from '../servers/select.ts';
import { allFit, valuesAt } from './argument-values.ts';
import { hashArguments } from './args-hash.ts';
import type { CallQuestion } from './decision.ts';
import type { Grant } from './grant.ts';
import type { PolicySnapshot } from './policy.ts';

/** Which grants may speak. */
export interface Wanted {
  /** Only an answer for one call, as a rule wants to ask each time. */
  readonly onceOnly?: boolean;
  /** Only an answer that was given for these very arguments. */
  readonly boundOnly?: boolean;
}

/** The grant that lets this call through. A lasting one is preferred, so that none for once is wasted. */
export function findGrant(
  question: CallQuestion,
  grants: PolicySnapshot['grants'],
  wanted: Wanted = {},
): Grant | undefined {
  const { server, tool } = question;
  let once: Grant | undefined;
  for (const grant of grants.ofTool(server.key, tool.name)) {
    const isOnce = grant.scope.kind === 'once';
    if ((isOnce && once) || (!isOnce && wanted.onceOnly)) continue;
    if (wanted.boundOnly && !(grant.scope.kind === 'once' && grant.scope.argsHash !== undefined)) continue;
    if (!matchesGrant(grant, question)) continue;
    if (!isOnce) return grant;
    once = grant;
  }
  if (wanted.onceOnly || wanted.boundOnly) return once;
  return grants.ofReads(server.key).find((grant) => matchesGrant(grant, question)) ?? once;
}

/**
 * Whether a grant covers this call: of the same person, for the same server as it was, for the
 * tool as it was, not expired, and wide enough for what the tool may do.
 */
function matchesGrant(grant: Grant, question: CallQuestion): boolean {
  const { server, principal, now } = question;
  return (
    grant.principal === principal &&
    grant.server === server.key &&
    grant.fingerprint === server.fingerprint &&
    (grant.until === undefined || now < grant.until) &&
    isEnough(grant, question) &&
    covers(grant, question)
  );
}

/** What destroys is never granted for ever, and what is flagged only by name. */
function isEnough({ scope, until }: Grant, { tool }: CallQuestion): boolean {
  if (scope.kind === 'reads') return tool.risk === 'read' && tool.flags.length === 0;
  if (tool.risk !== 'destructive' || scope.kind === 'once' || until !== undefined) return true;
  return scope.kind === 'arguments' && Object.values(scope.pattern).some((glob) => /[^*]/.test(glob));
}

function covers({ scope }: Grant, { tool, args }: CallQuestion): boolean {
  if (scope.kind === 'reads') return true;
  if (scope.tool !== tool.name || scope.hash !== tool.hash) return false;
  if (scope.kind === 'tool') return true;
  if (scope.kind === 'once') return scope.argsHash === undefined || scope.argsHash === hashArguments(args);
  return Object.entries(scope.pattern).every(([path, glob]) =>
    allFit(valuesAt(args, path), (text) => matchesGlob(glob, text)),
  );
}
