import type { Risk } from '../catalog/risk.ts';
import { approversOf } from './decision.ts';
import type { CallQuestion, DecidedBy, Decision, Effect, GrantOffer, Question } from './decision.ts';
import { MadeDecision } from './_made-decision.ts';
import type { PolicySnapshot } from './policy.ts';
import { wordsOf } from './reasons.ts';
import { findDataRule, findRule } from './rules/match.ts';
import { permits, Undecidable } from './arguments/fit.ts';
import { matchesGlob } from '../servers/select.ts';
import { hashArguments } from './args-hash.ts';
import type { Grant } from './grant.ts';
import { isObject } from '../base/json.ts';
import { ACTIONS, REQUESTERS, RISKS } from './rules/rule.ts';

/** The one decision: pure, always answers, and denies what it can't decide. Stronger steps come first. */
export function decide(question: Question, policy: PolicySnapshot): Decision {
  try {
    const problem = problemOf(question);
    if (problem !== undefined) return undecidable(problem);
    return question.action === 'call' ? decideCall(question, policy) : decideServer(question, policy);
  } catch (error) {
    const known = error instanceof Undecidable;
    return undecidable(known ? error.message : 'A rule or an argument cannot be read.');
  }
}

type Decided = Exclude<DecidedBy, { readonly kind: 'undecidable' }>;

function undecidable(problem: string): Decision {
  const reason = `Denied, because it cannot be decided: ${problem}`;
  return { effect: 'deny', by: { kind: 'undecidable', problem }, reason, offers: [] };
}

function decideCall(question: CallQuestion, policy: PolicySnapshot): Decision {
  const decision = decideUnasked(question, policy);
  return decision.effect === 'ask' && isConsentEnough(question, decision)
    ? answer(question, 'allow', { kind: 'consent', consent: { kind: 'form' } })
    : decision;
}

/** Who filled in a form need not say yes again, unless there is something that the form does not show. */
function isConsentEnough({ consent, tool }: CallQuestion, decision: Decision): boolean {
  if (consent?.kind !== 'form' || tool.flags.length > 0 || approversOf(decision)) return false;
  return tool.risk !== 'destructive' && decision.by.kind !== 'data_rule';
}

function decideUnasked(question: CallQuestion, policy: PolicySnapshot): Decision {
  const { tool } = question;
  return (
    // Invariant: nothing lifts read-only mode, neither grant nor trust, rule nor approval.
    (tool.risk === 'read' ? undefined : denyWrite(question, policy)) ??
    denyByRule(question, policy) ??
    (tool.quarantined ? answer(question, 'deny', { kind: 'quarantine' }) : undefined) ??
    askOthers(question, policy) ??
    askByRule(question, policy) ??
    allowByGrant(question, policy) ??
    // Invariant: neither trust, nor a default, nor a rule lets a flagged or a destructive tool run.
    (tool.flags.length > 0 ? stopFlagged(question, policy) : undefined) ??
    (tool.risk === 'destructive' ? byDefault(question, policy, 'destructive') : undefined) ??
    allowByRule(question, policy) ??
    byTrust(question, policy)
  );
}

/** No arguments and no grants here: trust remembers the answer. */
function decideServer(question: Exclude<Question, CallQuestion>, { rules, defaults }: PolicySnapshot) {
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    const rule = findRule(rules[effect], question);
    if (rule) return answer(question, effect, { kind: 'rule', name: rule.name }, ['once']);
  }
  const { trust } = question.server;
  if (trust !== 'none') return answer(question, 'allow', { kind: 'trust', trust });
  const { action } = question;
  return answer(question, defaults[action], { kind: 'default', path: action }, ['once']);
}

function denyWrite(question: CallQuestion, { readOnly }: PolicySnapshot): Decision | undefined {
  const bar = readOnly ? SWITCH : question.bar;
  return bar && answer(question, 'deny', { kind: 'read_only', bar });
}

const SWITCH = { by: 'switch' } as const;

function denyByRule(question: CallQuestion, { rules }: PolicySnapshot): Decision | undefined {
  const rule = findRule(rules.deny, question);
  if (rule) return answer(question, 'deny', { kind: 'rule', name: rule.name });
  const found = findDataRule(rules.dataDeny, question);
  return found && answer(question, 'deny', dataRule(found));
}

/** Invariant: no grant, consent or rule of the person's own answers for others. */
function askOthers(question: CallQuestion, { rules }: PolicySnapshot): Decision | undefined {
  const rule = findRule(rules.askOthers, question);
  if (!rule?.approvers) return undefined;
  const { name, approvers } = rule;
  return answer(question, 'ask', { kind: 'rule', name, approvers }, ['once']);
}

/** An asking rule asks each time: only a one-time grant precedes it, for data one for this very data. */
function askByRule(question: CallQuestion, { rules, grants }: PolicySnapshot): Decision | undefined {
  const found = findDataRule(rules.dataAsk, question);
  const rule = found ? undefined : findRule(rules.ask, question);
  if (!found && !rule) return undefined;
  const grant = findGrant(question, grants, { onceOnly: true, boundOnly: found !== undefined });
  if (grant) return answer(question, 'allow', { kind: 'grant', id: grant.id });
  const by = found ? dataRule(found) : ({ kind: 'rule', name: rule?.name ?? '' } as const);
  return answer(question, 'ask', by, ['once']);
}

function dataRule({ rule, origin }: NonNullable<ReturnType<typeof findDataRule>>): Decided {
  return { kind: 'data_rule', name: rule.name, origin };
}

function allowByGrant(question: CallQuestion, { grants }: PolicySnapshot): Decision | undefined {
  const grant = findGrant(question, grants);
  return grant && answer(question, 'allow', { kind: 'grant', id: grant.id });
}

function stopFlagged(question: CallQuestion, policy: PolicySnapshot): Decision | undefined {
  const [flag] = question.tool.flags;
  if (!flag) return undefined;
  if (policy.defaults.call[question.tool.risk] === 'deny')
    return byDefault(question, policy, question.tool.risk);
  return answer(question, 'ask', { kind: 'flag', flag }, ['once']);
}

function allowByRule(question: CallQuestion, { rules }: PolicySnapshot): Decision | undefined {
  const rule = findRule(rules.allow, question);
  return rule && answer(question, 'allow', { kind: 'rule', name: rule.name });
}

/** A read is believed only on a trusted server. */
function byTrust(question: CallQuestion, policy: PolicySnapshot): Decision {
  const { trust } = question.server;
  const { risk } = question.tool;
  if (risk !== 'read') return byDefault(question, policy, risk);
  if (trust === 'none') return byDefault(question, policy, 'unknown');
  if (policy.defaults.call.read !== 'allow') return byDefault(question, policy, 'read');
  return answer(question, 'allow', { kind: 'trust', trust });
}

function byDefault(question: CallQuestion, { defaults }: PolicySnapshot, as: Risk): Decision {
  const set = defaults.call[as];
  const effect = question.tool.risk === 'destructive' && set === 'allow' ? 'ask' : set;
  return answer(question, effect, { kind: 'default', path: `call.${as}` }, OFFERS[question.tool.risk]);
}

const OFFERS: Readonly<Record<Risk, readonly GrantOffer[]>> = {
  read: ['once', 'session', 'tool', 'reads', 'arguments'],
  write: ['once', 'session', 'tool', 'arguments'],
  unknown: ['once', 'session', 'tool', 'arguments'],
  destructive: ['once', 'arguments'],
};

function answer(question: Question, effect: Effect, by: Decided, offers: readonly GrantOffer[] = []) {
  const known = effect === 'allow' || effect === 'ask' || effect === 'deny';
  if (!known) throw new Undecidable('A default is neither allow, ask nor deny.');
  const reason = wordsOf(question, effect, by);
  return new MadeDecision(question, { effect, by, reason, offers: effect === 'ask' ? offers : [] });
}

interface Wanted {
  readonly onceOnly?: boolean;
  readonly boundOnly?: boolean;
}

/** Prefers a lasting grant, so that none for once is wasted. */
function findGrant(question: CallQuestion, grants: PolicySnapshot['grants'], wanted: Wanted = {}) {
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

/** Same person, server, account and tool as granted, not expired, and wide enough. */
function matchesGrant(grant: Grant, question: CallQuestion): boolean {
  const { server, principal, now, account } = question;
  return (
    grant.principal === principal &&
    grant.server === server.key &&
    grant.fingerprint === server.fingerprint &&
    grant.account === account?.id &&
    (grant.until === undefined || now < grant.until) &&
    isEnough(grant, question) &&
    covers(grant, question)
  );
}

/** Destructive tools are never granted forever, flagged ones only by name. */
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
    permits(args, path, (text) => matchesGlob(glob, text)),
  );
}

/** Types are gone at run time, and a face may be wrong. */
function problemOf(question: unknown): string | undefined {
  if (!isObject(question)) return 'There is no question.';
  const { action, principal, requester, now, server } = question;
  if (!isOneOf(ACTIONS, action)) return 'The action is not known.';
  if (!isText(principal)) return 'The requester is not named.';
  if (
    !isObject(requester) ||
    !isOneOf(REQUESTERS, requester['kind']) ||
    typeof requester['id'] !== 'string'
  ) {
    return 'The requester is not known.';
  }
  if (typeof now !== 'number' || !Number.isFinite(now)) return 'The time is not known.';
  if (!isServer(server)) return 'The server is not known.';
  return action === 'call' ? problemOfCall(question) : undefined;
}

const TRUSTS = ['none', 'session', 'kept'] as const;

function problemOfCall({ account, tool, args, origins }: Record<string, unknown>): string | undefined {
  if (account !== undefined && !(isObject(account) && isText(account['id']) && isText(account['name']))) {
    return 'The account is not known.';
  }
  if (!isObject(tool) || !isText(tool['name']) || !isText(tool['hash'])) return 'The tool is not known.';
  if (!isOneOf(RISKS, tool['risk'])) return 'The risk of the tool is not known.';
  const flags = tool['flags'];
  if (!Array.isArray(flags) || !flags.every(isObject) || typeof tool['quarantined'] !== 'boolean') {
    return 'It is unknown whether the tool was flagged.';
  }
  if (!isObject(args)) return 'The arguments are not an object.';
  if (!Array.isArray(origins) || !origins.every(isOrigin)) {
    return 'It is not known where the arguments come from.';
  }
  return undefined;
}

function isServer(server: unknown): boolean {
  return (
    isObject(server) &&
    isText(server['id']) &&
    isText(server['key']) &&
    isText(server['fingerprint']) &&
    isOneOf(TRUSTS, server['trust'])
  );
}

function isOrigin(origin: unknown): boolean {
  return isObject(origin) && isText(origin['server']) && typeof origin['tool'] === 'string';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOneOf(words: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && words.includes(value);
}
