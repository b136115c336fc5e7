import { stripComments, type Node } from 'jsonc-parser';
import { limits } from '../../base/limits.ts';
import { parseJsonTree } from '../../servers/clients/documents/json.ts';
import type { Effect, PolicyDefaults } from '../decision.ts';
import { shippedDefaults } from '../policy.ts';
import { NodeReader, type RulesProblem } from './node-reader.ts';
import { loadRegexes, readRule, type RuleReading } from './read-rule.ts';
import {
  EFFECTS,
  type Rule,
  RULES_FIELDS,
  type RuleSet,
  ruleSetOf,
  SECRETS_IN_RESULTS,
  type SecretsInResults,
} from './rule.ts';

export interface Rules {
  readonly defaults: PolicyDefaults;
  readonly all: readonly Rule[];
  readonly rules: RuleSet;
  readonly secretsInResults: SecretsInResults;
}

export type ParsedRules =
  | { readonly kind: 'ok'; readonly rules: Rules }
  | { readonly kind: 'broken'; readonly problems: readonly RulesProblem[] };

export const noRules: Rules = rulesOf(shippedDefaults, [], 'mask');

/** Until a file was understood: denies nothing, and runs nothing that a rule might have stopped. */
const ASK_ALL = 'ask everything while the rules file cannot be used';
export const everythingAsks: Rules = rulesOf(
  shippedDefaults,
  [{ kind: 'rule', name: ASK_ALL, effect: 'ask', actions: ['connect', 'call'], args: [] }],
  'mask',
);

interface RulesOrigin {
  /** Rules of a team may also say who has to approve. */
  readonly ofTeam?: boolean;
}

/** All or nothing: the mistake may be in a rule that denies. */
export async function parseRules(text: string, { ofTeam = false }: RulesOrigin = {}): Promise<ParsedRules> {
  if (stripComments(text).trim()[0] !== '{') {
    return broken({ line: 1, column: 1, message: 'The file must hold one object: {"rules": […]}.' });
  }
  const tree = parseJsonTree(text);
  if (tree.kind === 'malformed') {
    return broken({ line: tree.line, column: tree.column, message: `This is not JSON: ${tree.reason}.` });
  }
  if (!tree.root) return { kind: 'ok', rules: noRules };
  const reader = new NodeReader(text);
  const rules = readRules(tree.root, reader, { compile: await loadRegexes(tree.root), ofTeam });
  const { problems } = reader;
  return rules && problems.length === 0 ? { kind: 'ok', rules } : { kind: 'broken', problems };
}

function broken(problem: RulesProblem): ParsedRules {
  return { kind: 'broken', problems: [problem] };
}

function rulesOf(defaults: PolicyDefaults, all: readonly Rule[], secretsInResults: SecretsInResults): Rules {
  return { defaults, all, rules: ruleSetOf(all), secretsInResults };
}

function readRules(root: Node, reader: NodeReader, reading: RuleReading): Rules | undefined {
  const fields = reader.fields(root, RULES_FIELDS, 'the rules file');
  if (!fields) return undefined;
  const schema = fields.get('$schema');
  if (schema && schema.type !== 'string') reader.problem(schema, '“$schema” must be a text.');
  const defaults = fields.get('defaults');
  const rules = fields.get('rules');
  const secrets = fields.get('secretsInResults');
  return rulesOf(
    defaults ? readDefaults(defaults, reader) : shippedDefaults,
    rules ? readList(rules, reader, reading) : [],
    (secrets && reader.word(secrets, SECRETS_IN_RESULTS, '“secretsInResults”')) ?? 'mask',
  );
}

function readDefaults(node: Node, reader: NodeReader): PolicyDefaults {
  const fields = reader.fields(node, ['connect', 'list', 'call'], '“defaults”');
  const calls = fields?.get('call');
  const call = calls && reader.fields(calls, ['read', 'write', 'destructive', 'unknown'], '“call”');
  const effect = (found: Node | undefined, name: string, otherwise: Effect): Effect =>
    (found && reader.word(found, EFFECTS, `“${name}”`)) ?? otherwise;
  const destructive = call?.get('destructive');
  if (destructive?.value === 'allow') {
    reader.problem(destructive, 'Destructive tools always ask: “destructive” is ask or deny.');
  }
  const shipped = shippedDefaults;
  return {
    connect: effect(fields?.get('connect'), 'connect', shipped.connect),
    list: effect(fields?.get('list'), 'list', shipped.list),
    call: {
      read: effect(call?.get('read'), 'read', shipped.call.read),
      write: effect(call?.get('write'), 'write', shipped.call.write),
      destructive: effect(destructive, 'destructive', shipped.call.destructive),
      unknown: effect(call?.get('unknown'), 'unknown', shipped.call.unknown),
    },
  };
}

function readList(node: Node, reader: NodeReader, reading: RuleReading): readonly Rule[] {
  const items = reader.items(node, '“rules”') ?? [];
  if (items.length > limits.rulesMax) {
    reader.problem(node, `There may be at most ${limits.rulesMax} rules.`);
    return [];
  }
  const rules = new Map<string, Rule>();
  for (const item of items) {
    const rule = readRule(item, reader, reading);
    if (!rule) continue;
    if (rules.has(rule.name))
      reader.problem(item, `There is another rule “${rule.name}”: names must differ.`);
    rules.set(rule.name, rule);
  }
  return [...rules.values()];
}
