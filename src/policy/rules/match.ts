import { matchesGlob } from '../../servers/select.ts';
import { permits, touches } from '../arguments/fit.ts';
import type { CallQuestion, DataOrigin, Question } from '../decision.ts';
import type { CallRule, DataRule } from './rule.ts';

export function findRule(rules: readonly CallRule[], question: Question): CallRule | undefined {
  if (rules.length === 0) return undefined;
  const ref = question.action === 'call' ? `${question.server.id}/${question.tool.name}` : '';
  return rules.find((rule) => matches(rule, question, ref));
}

interface DataMove {
  readonly server: Pick<CallQuestion['server'], 'id'>;
  readonly tool: Pick<CallQuestion['tool'], 'name'>;
  readonly origins: CallQuestion['origins'];
}

export function findDataRule(
  rules: readonly DataRule[],
  question: DataMove,
): { readonly rule: DataRule; readonly origin: DataOrigin } | undefined {
  for (const rule of rules) {
    if (!isNamed(rule.to, question.server.id, question.tool.name)) continue;
    const origin = question.origins.find(({ server, tool }) => isNamed(rule.from, server, tool));
    if (origin) return { rule, origin };
  }
  return undefined;
}

function matches(rule: CallRule, question: Question, ref: string): boolean {
  const { server, requester } = question;
  if (!rule.actions.includes(question.action)) return false;
  if (rule.server !== undefined && !matchesGlob(rule.server, server.id)) return false;
  if (rule.requesters && !rule.requesters.includes(requester.kind)) return false;
  if (question.action !== 'call') return !rule.tool && !rule.risks && rule.args.length === 0;
  const { tool, args } = question;
  if (rule.tool !== undefined && !matchesGlob(rule.tool, ref)) return false;
  if (rule.risks && !rule.risks.includes(tool.risk) && !isTold(rule, tool.told)) return false;
  // Allowing needs every value to fit; for ask and deny one match is enough.
  return rule.effect === 'allow'
    ? rule.args.every(({ path, test }) => permits(args, path, test))
    : rule.args.every(({ path, finds }) => touches(args, path, finds));
}

/** A person's own word about a risk lets nothing past the rules of others. */
function isTold({ shared, effect, risks }: CallRule, told: CallQuestion['tool']['told']): boolean {
  return shared === true && effect !== 'allow' && told !== undefined && risks?.includes(told) === true;
}

/** With a slash: `server/tool`. */
function isNamed(glob: string, server: string, tool: string): boolean {
  return matchesGlob(glob, glob.includes('/') ? `${server}/${tool}` : server);
}
