import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { parseRules } from '../../../src/policy/rules/parse.ts';
import { describeRule } from '../../../src/policy/rules/rule.ts';
import { EMPTY_RULE, ruleOf, withoutRule, withRule } from './rule-form.ts';

async function saidBy(text: string | undefined): Promise<readonly string[]> {
  const parsed = await parseRules(text ?? '', { ofTeam: true });
  return parsed.kind === 'ok' ? parsed.rules.all.map(describeRule) : [JSON.stringify(parsed.problems)];
}

verifies(['M6'], 'each choice of the form is a rule that the hub reads', async () => {
  const draft = { ...EMPTY_RULE, name: 'payments', tool: 'bank/*' };
  const text = ['deny', 'ask', 'ask:admins', 'ask:group Front office', 'allow'].reduce<string | undefined>(
    (before, effect) => withRule(before, ruleOf({ ...draft, name: effect, effect, risk: 'destructive' })),
    undefined,
  );
  const said = await saidBy(text);
  expect(said).toHaveLength(5);
  expect(said.filter((one) => one.includes('bank/*') && one.includes('destructive'))).toHaveLength(5);
  expect(said[3]).toContain('Front office');
  expect(await saidBy(withoutRule(text ?? '', 3))).toHaveLength(4);
});

test('a text with comments is left for its author to change', () => {
  const text = '{ "rules": [] /* of Anna */ }';
  expect(withRule(text, ruleOf(EMPTY_RULE))).toBeUndefined();
  expect(withoutRule(text, 0)).toBeUndefined();
});
