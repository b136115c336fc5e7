import type { Effect } from '../decision.ts';
import type { Action, CallRule, Rule } from './rule.ts';

/** A rule in one line, as a person would say it. */
export function describeRule(rule: Rule): string {
  if (rule.kind === 'rule') return `${VERBS[rule.effect]} ${whatOf(rule)}${conditionOf(rule)}.`;
  const end = rule.effect === 'deny' ? 'may not go to' : 'asks before it goes to';
  return `What came from ${rule.from} ${end} ${rule.to}.`;
}

const VERBS: Readonly<Record<Effect, string>> = { allow: 'Allow', ask: 'Ask before', deny: 'Deny' };
const NOUNS: Readonly<Record<Action, string>> = {
  connect: 'connections to',
  list: 'lists of',
  call: 'calls of',
};

function whatOf({ actions, tool, server, risks }: CallRule): string {
  const of = tool !== undefined ? tool : server === undefined || server === '*' ? 'every server' : server;
  const also = tool !== undefined && server !== undefined ? ` on ${server}` : '';
  const risk = risks ? ` that are ${risks.join(' or ')}` : '';
  return `${actions.map((action) => NOUNS[action]).join(' and ')} ${of}${also}${risk}`;
}

function conditionOf({ args, requesters }: CallRule): string {
  const when = args.length > 0 ? ` when ${args.map(({ says }) => says).join(' and ')}` : '';
  return `${when}${requesters ? `, asked for by a ${requesters.join(' or a ')}` : ''}`;
}
