import { matchesGlob } from '../../servers/select.ts';
import { permits, touches } from '../arguments/fit.ts';
import type { CallQuestion, DataOrigin, Question } from '../decision.ts';
import type { CallRule, DataRule } from './rule.ts';

/** The first rule that speaks about this question. */
export function findRule(rules: readonly CallRule[], question: Question): CallRule | undefined {
  if (rules.length === 0) return undefined;
  const ref = question.action === 'call' ? `${question.server.id}/${question.tool.name}` : '';
  return rules.find((rule) => matches(rule, question, ref));
}

/** What a rule about data looks at. */
interface DataMove {
  readonly server: Pick<CallQuestion['server'], 'id'>;
  readonly tool: Pick<CallQuestion['tool'], 'name'>;
  readonly origins: CallQuestion['origins'];
}

/** The first data rule that speaks about this call, with what came from elsewhere. */
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
  if (rule.risks && !rule.risks.includes(tool.risk)) return false;
  // A rule that allows must be sure of all it sees; one that asks or denies is sure enough with one find.
  return rule.effect === 'allow'
    ? rule.args.every(({ path, test }) => permits(args, path, test))
    : rule.args.every(({ path, finds }) => touches(args, path, finds));
}

/** `server`, or with a slash `server/tool`. */
function isNamed(glob: string, server: string, tool: string): boolean {
  return matchesGlob(glob, glob.includes('/') ? `${server}/${tool}` : server);
}
