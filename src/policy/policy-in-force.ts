import type { Grants } from './grants.ts';
import type { PolicySnapshot } from './policy.ts';
import type { RulesFile } from './rules/rules-file.ts';

export interface PolicySources {
  readonly rules: RulesFile;
  readonly grants: Grants;
  /** The switch for everything. */
  readonly settings: { readonly readOnly: boolean };
}

/** The policy as it is now: what the rules file says, what was granted, and the switch. */
export class PolicyInForce {
  readonly #sources: PolicySources;

  constructor(sources: PolicySources) {
    this.#sources = sources;
  }

  get snapshot(): PolicySnapshot {
    const { rules: file, grants, settings } = this.#sources;
    const { defaults, rules } = file.inForce;
    return { defaults, rules, grants: grants.index, readOnly: settings.readOnly };
  }
}
