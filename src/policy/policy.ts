import type { PolicyDefaults } from './decision.ts';
import type { GrantIndex } from './grants.ts';
import type { RuleSet } from './rules/rule.ts';

/** All that a decision knows besides the question. */
export interface PolicySnapshot {
  readonly defaults: PolicyDefaults;
  readonly rules: RuleSet;
  readonly grants: Pick<GrantIndex, 'ofTool' | 'ofReads'>;
  /** The switch for everything: only what is known to read runs, whoever asks. */
  readonly readOnly: boolean;
}

/** As long as nobody has said anything else. */
export const shippedDefaults: PolicyDefaults = {
  connect: 'ask',
  list: 'allow',
  call: { read: 'allow', write: 'ask', destructive: 'ask', unknown: 'ask' },
};
