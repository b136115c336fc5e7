import type { Risk } from '../../catalog/risk.ts';
import type { Effect, Question, Requester } from '../decision.ts';

export type Action = Question['action'];

/** “When this is asked for, do that.” What is absent may be anything. */
export interface CallRule {
  readonly kind: 'rule';
  readonly name: string;
  readonly effect: Effect;
  readonly actions: readonly Action[];
  /** Glob over the server's id. */
  readonly server?: string;
  /** Glob over `server/tool`. */
  readonly tool?: string;
  readonly risks?: readonly Risk[];
  readonly requesters?: readonly Requester['kind'][];
  /** All of them must hold. */
  readonly args: readonly ArgumentTest[];
}

/** “What came from here may not go there.” A glob with a slash is over `server/tool`. */
export interface DataRule {
  readonly kind: 'data_rule';
  readonly name: string;
  readonly effect: Exclude<Effect, 'allow'>;
  readonly from: string;
  readonly to: string;
}

export type Rule = CallRule | DataRule;

export interface ArgumentTest {
  /** Dotted, such as `body.text` or `to.*`. */
  readonly path: string;
  /** As written, for people. */
  readonly says: string;
  readonly test: (text: string) => boolean;
}

/** Rules by what they do, so that the strictest is looked for first. */
export interface RuleSet {
  readonly deny: readonly CallRule[];
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
    ask: calls.filter((rule) => rule.effect === 'ask'),
    allow: calls.filter((rule) => rule.effect === 'allow'),
    dataDeny: data.filter((rule) => rule.effect === 'deny'),
    dataAsk: data.filter((rule) => rule.effect === 'ask'),
  };
}
