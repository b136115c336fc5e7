import type { Grants } from './grants.ts';
import type { PolicySnapshot } from './policy.ts';
import type { RulesFile } from './rules/rules-file.ts';

export interface PolicySources {
  readonly rules: RulesFile;
  readonly grants: Grants;
  readonly settings: { readonly readOnly: boolean };
}

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
