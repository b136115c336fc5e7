import { defined } from '../../base/defined.ts';
import type { Node } from 'jsonc-parser';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { matchesGlob } from '../../servers/select.ts';
import type { Approvers } from '../decision.ts';
import type { NodeReader } from './node-reader.ts';
import {
  ACTIONS,
  type ArgumentTest,
  CALL_RULE_FIELDS,
  type CallRule,
  DATA_RULE_FIELDS,
  type DataRule,
  EFFECTS,
  REQUESTERS,
  RISKS,
  type Rule,
  TEAM_RULE_FIELDS,
  WHEN_FIELDS,
} from './rule.ts';

export interface RuleReading {
  readonly compile: CompileRegex;
  /** Whether the rules are those of a team. */
  readonly ofTeam: boolean;
}

export function readRule(node: Node, reader: NodeReader, reading: RuleReading): Rule | undefined {
  const names = node.children?.map((property) => property.children?.[0]?.value) ?? [];
  const isAboutData = names.includes('from') || names.includes('to');
  return isAboutData ? readDataRule(node, reader) : readCallRule(node, reader, reading);
}

function readDataRule(node: Node, reader: NodeReader): DataRule | undefined {
  const fields = reader.fields(node, DATA_RULE_FIELDS, 'a rule with “from” and “to”');
  if (!fields || !hasAll(node, DATA_RULE_FIELDS, fields, reader)) return undefined;
  const [name, from, to] = (['name', 'from', 'to'] as const).map((field) => {
    const value = fields.get(field);
    const charsMax = field === 'name' ? limits.ruleNameCharsMax : limits.globCharsMax;
    return value && reader.text(value, `“${field}”`, charsMax);
  });
  const then = fields.get('then');
  const effect = then && reader.word(then, ['ask', 'deny'], '“then” of a rule with “from” and “to”');
  return name && from && to && effect ? { kind: 'data_rule', name, from, to, effect } : undefined;
}

function readCallRule(
  node: Node,
  reader: NodeReader,
  { compile, ofTeam }: RuleReading,
): CallRule | undefined {
  const fields = reader.fields(node, ofTeam ? TEAM_RULE_FIELDS : CALL_RULE_FIELDS, 'a rule');
  if (!fields || !hasAll(node, CALL_RULE_FIELDS, fields, reader)) return undefined;
  const [nameNode, whenNode, thenNode] = CALL_RULE_FIELDS.map((field) => fields.get(field));
  const name = nameNode && reader.text(nameNode, '“name”', limits.ruleNameCharsMax);
  const effect = thenNode && reader.word(thenNode, EFFECTS, '“then”');
  const when = whenNode && readWhen(whenNode, reader, compile);
  if (!name || !effect || !when) return undefined;
  const approversNode = fields.get('approvers');
  if (!approversNode) return { kind: 'rule', name, effect, ...when };
  if (effect !== 'ask' || when.actions.some((action) => action !== 'call')) {
    return reader.problem(approversNode, '“approvers” is for rules about calls that “ask”.');
  }
  const approvers = readApprovers(approversNode, reader);
  return approvers && { kind: 'rule', name, effect, ...when, approvers };
}

const ADMINS = ['admins'] as const;

function readApprovers(node: Node, reader: NodeReader): Approvers | undefined {
  if (node.type !== 'object') return reader.word(node, ADMINS, '“approvers”');
  const group = reader.fields(node, ['group'], '“approvers”')?.get('group');
  if (!group) return reader.problem(node, 'Write “admins”, or {"group": "NAME"}.');
  const name = reader.text(group, '“group”', limits.ruleNameCharsMax);
  return name === undefined ? undefined : { group: name };
}

function readWhen(node: Node, reader: NodeReader, compile: CompileRegex) {
  const fields = reader.fields(node, WHEN_FIELDS, '“when”');
  if (!fields) return undefined;
  if (fields.size === 0) {
    // The unknown name was reported already.
    if (node.children?.length) return undefined;
    return reader.problem(node, '“when” must say something; for every server write {"server": "*"}.');
  }
  const read = <T>(field: (typeof WHEN_FIELDS)[number], as: (value: Node) => T): T | undefined => {
    const value = fields.get(field);
    return value && as(value);
  };
  const server = read('server', (value) => readGlob(value, reader, 'server'));
  const tool = read('tool', (value) => readGlob(value, reader, 'tool'));
  const risks = read('risk', (value) => reader.words(value, RISKS, '“risk”'));
  const requesters = read('requester', (value) => reader.words(value, REQUESTERS, '“requester”'));
  const args = read('args', (value) => readArgs(value, reader, compile)) ?? [];
  const actions = read('action', (value) => reader.words(value, ACTIONS, '“action”')) ?? (['call'] as const);
  if (actions.some((action) => action !== 'call') && (tool || risks || args.length > 0)) {
    const message =
      'Only a call has a tool, a risk and arguments: leave “connect” and “list” out of “action”.';
    return reader.problem(node, message);
  }
  return { actions, args, ...defined({ server, tool, risks, requesters }) };
}

function readGlob(node: Node, reader: NodeReader, field: 'server' | 'tool'): string | undefined {
  const glob = reader.text(node, `“${field}”`, limits.globCharsMax);
  if (glob === undefined) return undefined;
  if (field === 'server') {
    return glob.includes('/')
      ? reader.problem(node, 'A server has no slash; write “tool” for server/tool.')
      : glob;
  }
  return /^[^/]+\/./s.test(glob)
    ? glob
    : reader.problem(node, '“tool” is server/tool, such as “github/create_*” or “*/delete_*”.');
}

function readArgs(node: Node, reader: NodeReader, compile: CompileRegex) {
  const entries = reader.entries(node, '“args”');
  if (!entries) return undefined;
  if (entries.length === 0) return reader.problem(node, '“args” must name at least one argument.');
  if (entries.length > limits.grantPatternPathsMax) {
    return reader.problem(node, `“args” may name at most ${limits.grantPatternPathsMax} arguments.`);
  }
  const tests = entries.map(({ name, key, value }) => {
    if (name === '' || name.length > limits.globCharsMax) {
      return reader.problem(key, `The path of an argument has 1 to ${limits.globCharsMax} characters.`);
    }
    return value.type === 'object'
      ? readRegex(name, value, reader, compile)
      : readArgGlob(name, value, reader);
  });
  return tests.every((test) => test !== undefined) ? tests : undefined;
}

function readArgGlob(path: string, node: Node, reader: NodeReader): ArgumentTest | undefined {
  const glob = reader.text(node, 'the pattern of an argument', limits.globCharsMax);
  if (glob === undefined) return undefined;
  const test = (text: string): boolean => matchesGlob(glob, text);
  return { path, says: `${path} is ${glob}`, test, finds: waryGlob(glob) };
}

function readRegex(path: string, node: Node, reader: NodeReader, compile: CompileRegex) {
  const value = reader.fields(node, ['matches'], 'a test of an argument')?.get('matches');
  if (!value) return reader.problem(node, 'Write a pattern such as "acme/*", or {"matches": "expression"}.');
  const source = reader.text(value, '“matches”', limits.ruleRegexCharsMax);
  if (source === undefined) return undefined;
  try {
    const test = compile(source);
    return { path, says: `${path} matches ${source}`, test, finds: test };
  } catch (error) {
    return reader.problem(value, `This expression cannot be used (RE2): ${messageOf(error)}.`);
  }
}

function hasAll<K extends string>(
  node: Node,
  wanted: readonly K[],
  fields: ReadonlyMap<K, Node>,
  reader: NodeReader,
): boolean {
  const missing = wanted.filter((field) => !fields.has(field));
  for (const field of missing) reader.problem(node, `A rule needs “${field}”, and this one has none.`);
  return missing.length === 0;
}

/** For ask and deny: ignores case, `./` and `//`; a rooted glob also matches relative texts. */
export function waryGlob(glob: string): (text: string) => boolean {
  const folded = fold(glob);
  const clean = folded
    .replaceAll('\\', '/')
    .replaceAll(/\/(\.?\/)+/g, '/')
    .replace(/^(\.\/)+/, '');
  const globs = new Set([folded, clean]);
  const below = new Set<string>();
  if (/^(\/|~|[a-z]:)/.test(clean)) {
    const parts = clean.split('/');
    // A pattern of wildcards alone would match everything.
    for (let from = 1; from < parts.length; from += 1) {
      if (/[^*?]/.test(parts[from] ?? '')) below.add(parts.slice(from).join('/'));
    }
  }
  return (given) => {
    // Folding may make two characters of one, which `?` no longer fits: ⑩ becomes 10.
    if (matchesGlob(glob, given) || matchesGlob(glob.toLowerCase(), given.toLowerCase())) return true;
    const text = fold(given);
    for (const each of globs) if (matchesGlob(each, text)) return true;
    for (const each of below) if (!text.startsWith('/') && matchesGlob(each, text)) return true;
    return false;
  };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export type CompileRegex = (source: string) => (text: string) => boolean;

/** RE2 runs in linear time, so that no argument can hang a decision. Loaded only when needed. */
export async function loadRegexes(root: Node): Promise<CompileRegex> {
  if (!hasRegex(root)) return () => () => false;
  const { RE2JS } = await import('re2js');
  return (source) => {
    const expression = RE2JS.compile(source);
    return (text) => expression.test(text);
  };
}

function hasRegex(node: Node): boolean {
  if (node.type === 'property' && node.children?.[0]?.value === 'matches') return true;
  return node.children?.some(hasRegex) ?? false;
}
