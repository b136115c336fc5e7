import type { Risk } from '../../catalog/risk.ts';
import type { Approvers, Effect, Question, Requester } from '../decision.ts';

type Action = Question['action'];

/** What is absent may be anything. */
export interface CallRule {
  readonly kind: 'rule';
  readonly name: string;
  readonly effect: Effect;
  readonly actions: readonly Action[];
  readonly server?: string;
  /** Glob over `server/tool`. */
  readonly tool?: string;
  readonly risks?: readonly Risk[];
  readonly requesters?: readonly Requester['kind'][];
  readonly args: readonly ArgumentTest[];
  /** Who has to say yes, where it is not the person themselves. */
  readonly approvers?: Approvers;
  /** Made by others: a person's own word about the risk of a tool doesn't get it out of the way. */
  readonly shared?: true;
}

/** A glob with a slash is over `server/tool`. */
export interface DataRule {
  readonly kind: 'data_rule';
  readonly name: string;
  readonly effect: Exclude<Effect, 'allow'>;
  readonly from: string;
  readonly to: string;
}

export type Rule = CallRule | DataRule;

export interface ArgumentTest {
  readonly path: string;
  readonly says: string;
  /** Exact, for a rule that allows. */
  readonly test: (text: string) => boolean;
  /** Tolerant, for a rule that asks or denies. */
  readonly finds: (text: string) => boolean;
}

export interface RuleSet {
  readonly deny: readonly CallRule[];
  /** Others have to be asked. */
  readonly askOthers: readonly CallRule[];
  readonly ask: readonly CallRule[];
  readonly allow: readonly CallRule[];
  readonly dataDeny: readonly DataRule[];
  readonly dataAsk: readonly DataRule[];
}

export function ruleSetOf(rules: readonly Rule[]): RuleSet {
  const calls = rules.filter((rule) => rule.kind === 'rule');
  const data = rules.filter((rule) => rule.kind === 'data_rule');
  return {
    deny: calls.filter((rule) => rule.effect === 'deny'),
    askOthers: calls.filter((rule) => rule.approvers !== undefined),
    ask: calls.filter((rule) => rule.effect === 'ask' && rule.approvers === undefined),
    allow: calls.filter((rule) => rule.effect === 'allow'),
    dataDeny: data.filter((rule) => rule.effect === 'deny'),
    dataAsk: data.filter((rule) => rule.effect === 'ask'),
  };
}

export function describeRule(rule: Rule): string {
  if (rule.kind === 'rule') {
    const verb =
      rule.approvers === undefined ? VERBS[rule.effect] : `Ask ${nameOfApprovers(rule.approvers)} before`;
    return `${verb} ${whatOf(rule)}${conditionOf(rule)}.`;
  }
  const end = rule.effect === 'deny' ? 'may not go to' : 'asks before it goes to';
  return `What came from ${rule.from} ${end} ${rule.to}.`;
}

export function nameOfApprovers(approvers: Approvers): string {
  return approvers === 'admins' ? 'an admin of the team' : `a member of the group “${approvers.group}”`;
}

const VERBS: Readonly<Record<Effect, string>> = { allow: 'Allow', ask: 'Ask before', deny: 'Deny' };
const NOUNS: Record<Action, string> = { connect: 'connections to', list: 'lists of', call: 'calls of' };

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

export const EFFECTS = ['allow', 'ask', 'deny'] as const;
export const SECRETS_IN_RESULTS = ['mask', 'block', 'keep'] as const;
export const ACTIONS = ['connect', 'list', 'call'] as const;
export const RISKS = ['read', 'write', 'destructive', 'unknown'] as const;
export const REQUESTERS = ['person', 'host', 'program'] as const;

export const RULES_FIELDS = ['$schema', 'defaults', 'rules', 'secretsInResults'] as const;
export const CALL_RULE_FIELDS = ['name', 'when', 'then'] as const;
export const TEAM_RULE_FIELDS = [...CALL_RULE_FIELDS, 'approvers'] as const;
export const DATA_RULE_FIELDS = ['name', 'from', 'to', 'then'] as const;
export const WHEN_FIELDS = ['action', 'server', 'tool', 'risk', 'args', 'requester'] as const;

export type SecretsInResults = (typeof SECRETS_IN_RESULTS)[number];
