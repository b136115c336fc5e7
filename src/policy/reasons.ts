import { barWords } from '../servers/read-only.ts';
import { nameOfApprovers } from './rules/rule.ts';
import type { CallQuestion, DataOrigin, DecidedBy, Decision, Effect, Question } from './decision.ts';

export function wordsOf(
  question: Question,
  effect: Effect,
  by: Exclude<DecidedBy, { kind: 'undecidable' }>,
): string {
  const what = nameOf(question);
  if (by.kind === 'quarantine') {
    return `${what} changed since it was approved, so it wasn’t called.`;
  }
  if (by.kind === 'read_only') {
    const risk = question.action === 'call' ? question.tool.risk : 'unknown';
    return `${what} is not called. ${barWords(by.bar, { risk }).reason}`;
  }
  if (by.kind === 'flag') return `${what} is flagged, so it always asks: ${by.flag.detail}`;
  if (by.kind === 'rule') {
    const verb = by.approvers === undefined ? RULE[effect] : `asks ${nameOfApprovers(by.approvers)} before`;
    return `The rule “${by.name}” ${verb} ${what}.`;
  }
  if (by.kind === 'data_rule') {
    return `The rule “${by.name}” ${RULE[effect]} ${what}: ${wordsOfOrigin(by.origin)}.`;
  }
  if (by.kind === 'grant') return `You granted ${what} (${by.id}).`;
  if (by.kind === 'consent') return `You ran ${what} from its form.`;
  const { id } = question.server;
  if (by.kind === 'trust') {
    if (question.action === 'call') return `${what} is read-only, and you trust ${id}.`;
    return `You trust ${id}${by.trust === 'session' ? ' until the hub stops' : ''}.`;
  }
  return question.action === 'call'
    ? wordsOfDefault(question, { effect, path: by.path, what })
    : ACTION[question.action][effect](what);
}

export function wordsOfOrigin({ argument, server, tool, undecided }: DataOrigin): string {
  const what = argument === '' ? 'its arguments' : `its argument ${argument}`;
  if (undecided !== undefined) {
    return `we couldn’t tell whether ${what} ${argument === '' ? 'hold' : 'holds'} what came from ${server}/${tool}, as ${undecided}`;
  }
  return argument === ''
    ? `its arguments together hold what came from ${server}/${tool}`
    : `${what} holds what came from ${server}/${tool}`;
}

const RULE: Readonly<Record<Effect, string>> = { allow: 'allows', ask: 'asks before', deny: 'denies' };

const ACTION: Readonly<Record<'connect' | 'list', Readonly<Record<Effect, (what: string) => string>>>> = {
  connect: {
    allow: (what) => `Connecting to ${what} is allowed by default.`,
    ask: (what) => `${what} is new, so connecting it asks first.`,
    deny: () => 'Only trusted servers can be connected.',
  },
  list: {
    allow: (what) => `Listing the tools of ${what} is allowed by default.`,
    ask: (what) => `Listing the tools of ${what} asks first, by default.`,
    deny: (what) => `Listing the tools of ${what} is denied by default.`,
  },
};

/** The reason after a sentence that has named the tool. */
export function withoutName(question: CallQuestion, { effect, by, reason }: Decision): string {
  return by.kind === 'default' ? wordsOfDefault(question, { effect, path: by.path, what: 'It' }) : reason;
}

interface ByDefault {
  readonly effect: Effect;
  readonly path: string;
  readonly what: string;
}

function wordsOfDefault(question: CallQuestion, { effect, path, what }: ByDefault): string {
  const { risk } = question.tool;
  if (effect === 'allow') return `${what} is allowed by the default ${path}.`;
  if (effect === 'deny') return `${what} is denied by the default ${path}.`;
  if (risk === 'destructive') return `${what} is destructive, so it always asks.`;
  if (risk === 'write') return `${what} can change data, so it asks first.`;
  if (risk === 'unknown') return `${what} has unknown risk, so it asks first.`;
  const { id, trust } = question.server;
  return trust === 'none'
    ? `${what} looks read-only, but ${id} isn’t trusted, so it asks first.`
    : `${what} is read-only, and the default ${path} asks first.`;
}

function nameOf(question: Question): string {
  return question.action === 'call' ? `${question.server.id}/${question.tool.name}` : question.server.id;
}
