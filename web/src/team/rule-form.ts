/** What the form of a rule holds. A rule that asks is answered by the person, unless others are named. */
export interface RuleDraft {
  readonly name: string;
  /** Whose calls: a group, or everybody under the empty name. */
  readonly group: string;
  /** `server/tool`, with * for any. */
  readonly tool: string;
  readonly risk: 'any' | 'changes' | 'destructive';
  /** `ask:admins`, and `ask:group NAME`, say who approves. */
  readonly effect: string;
}

export const EMPTY_RULE: RuleDraft = { name: '', group: '', tool: '', risk: 'any', effect: 'deny' };

const RISKS = { any: undefined, changes: ['write', 'destructive', 'unknown'], destructive: ['destructive'] };

/** As it stands in a rules file. */
export function ruleOf({ name, tool, risk, effect }: RuleDraft): object {
  const [then, approvers] = effect.split(/:(.*)/s);
  const group = approvers?.startsWith(OF_GROUP) ? { group: approvers.slice(OF_GROUP.length) } : approvers;
  const risks = RISKS[risk];
  return {
    name,
    when: { tool, ...(risks ? { risk: risks } : {}) },
    // oxlint-disable-next-line unicorn/no-thenable -- a field of the rules file, never awaited
    then,
    ...(group === undefined ? {} : { approvers: group }),
  };
}

const OF_GROUP = 'group ';

/** Undefined for a text that can only be changed as text, such as one with comments. */
export function withRule(text: string | undefined, rule: object): string | undefined {
  return changed(text ?? '{ "rules": [] }', (rules) => [...rules, rule]);
}

export function withoutRule(text: string, index: number): string | undefined {
  return changed(text, (rules) => rules.toSpliced(index, 1));
}

function changed(
  text: string,
  change: (rules: readonly unknown[]) => readonly unknown[],
): string | undefined {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { rules = [] } = file as { readonly rules?: readonly unknown[] }; // the hub has read it as a file of rules
  return JSON.stringify({ ...(file as object), rules: change(rules) }, undefined, 2);
}
