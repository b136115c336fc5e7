import type { PolicyDefaults } from './decision.ts';
import type { GrantIndex } from './grants.ts';
import type { RuleSet } from './rules/rule.ts';

export interface PolicySnapshot {
  readonly defaults: PolicyDefaults;
  readonly rules: RuleSet;
  readonly grants: Pick<GrantIndex, 'ofTool' | 'ofReads'>;
  /** The global switch: only read-only tools run. */
  readonly readOnly: boolean;
}

export const shippedDefaults: PolicyDefaults = {
  connect: 'ask',
  list: 'allow',
  call: { read: 'allow', write: 'ask', destructive: 'ask', unknown: 'ask' },
};
