import type { Grants } from './grants.ts';
import type { PolicySnapshot } from './policy.ts';
import type { Rules } from './rules/parse.ts';
import type { RulesFile } from './rules/rules-file.ts';
import type { SharedRules } from './rules/shared-rules.ts';

export interface PolicySources {
  readonly rules: RulesFile;
  /** Of a team. */
  readonly shared: SharedRules | undefined;
  readonly grants: Grants;
  readonly settings: { readonly readOnly: boolean };
}

export class PolicyInForce {
  readonly #sources: PolicySources;
  readonly #listeners = new Set<() => void>();
  /** Of the rules as they were when they were joined. */
  #joined: { readonly own: Rules; readonly joined: Rules } | undefined;

  constructor(sources: PolicySources) {
    this.#sources = sources;
  }

  /** One's own rules were saved, or others have changed those that they share. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    const stop = this.#sources.rules.onChange(listener);
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  get snapshot(): PolicySnapshot {
    const { grants, settings } = this.#sources;
    const { defaults, rules } = this.rules;
    return { defaults, rules, grants: grants.index, readOnly: settings.readOnly };
  }

  /** One's own, behind those of the team. */
  get rules(): Rules {
    const { rules: file, shared } = this.#sources;
    const own = file.inForce;
    if (!shared) return own;
    if (this.#joined?.own !== own) this.#joined = { own, joined: shared.before(own) };
    return this.#joined.joined;
  }

  /** Others have changed the rules that they share. */
  async reload(): Promise<void> {
    await this.#sources.shared?.reload();
    this.#joined = undefined;
    for (const listener of this.#listeners) listener();
  }
}
