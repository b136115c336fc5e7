import { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Zod } from '../hub/operations/operation.ts';
import { parseRules } from '../policy/rules/parse.ts';
import { describeRule, type Rule } from '../policy/rules/rule.ts';
import type { SettingStore } from '../servers/store.ts';
import { checkGroupNames } from './group-names.ts';
import { teamLimits } from './limits.ts';
import { TEAM_OWNER } from './owners.ts';

/** By the names of groups; those for everybody under the empty name. */
export const rulesSchema = (z: Zod) =>
  z.record(z.string().max(teamLimits.nameCharsMax), z.string().max(teamLimits.rulesCharsMax));

type Texts = Readonly<Record<string, string>>;

interface TeamRulesOptions {
  readonly settings: SettingStore;
  readonly groupsOf: (person: string) => Promise<readonly string[]>;
  /** The names of all groups of the team. */
  readonly groupNames: () => Promise<readonly string[]>;
}

/** The rules for everybody, or for a group, in plain words beside their text. */
export interface ShownRules {
  readonly group: string;
  readonly text: string;
  readonly rules: readonly { readonly name: string; readonly says: string }[];
}

/** Rules that admins make for everybody, or for the people of a group: texts like the rules file of one user. */
export class TeamRules {
  readonly #options: TeamRulesOptions;

  constructor(options: TeamRulesOptions) {
    this.#options = options;
  }

  async textsFor(person: string): Promise<readonly string[]> {
    const texts = await this.all();
    if (Object.keys(texts).length === 0) return [];
    const groups = await this.#options.groupsOf(person);
    return [EVERYBODY, ...groups].flatMap((name) => (Object.hasOwn(texts, name) ? (texts[name] ?? []) : []));
  }

  async all(): Promise<Texts> {
    const { value } = (await this.#options.settings.getSetting(TEAM_OWNER, TEAM_RULES)) ?? {};
    if (value === undefined) return {};
    // Only `replace` writes it.
    if (isObject(value)) return value as Texts;
    throw new PlugError('storage_failed', 'The rules of the team cannot be read.', { owner: 'plugboard' });
  }

  /** As people read them. */
  async shown(): Promise<readonly ShownRules[]> {
    const texts = Object.entries(await this.all());
    return await Promise.all(
      texts.map(async ([group, text]) => ({
        group,
        text,
        rules: (await rulesIn(text)).map((rule) => ({ name: rule.name, says: describeRule(rule) })),
      })),
    );
  }

  /** Replaces all of them; one with a mistake changes nothing. */
  async replace(texts: Texts): Promise<Texts> {
    for (const [group, text] of Object.entries(texts)) {
      const parsed = await parseRules(text, { ofTeam: true });
      if (parsed.kind === 'broken') {
        const [{ line, message } = { line: 1, message: '' }] = parsed.problems;
        throw new PlugError('usage', `There is a mistake in line ${line} of “${group}”: ${message}`, {
          owner: 'you',
        });
      }
    }
    const [names, before] = await Promise.all([groupsIn(texts), groupsIn(await this.all())]);
    await checkGroupNames(names, before, this.#options.groupNames);
    await this.#options.settings.putSetting(TEAM_OWNER, { name: TEAM_RULES, value: texts });
    return texts;
  }
}

/** Whose people the rules are for, and who has to approve. */
async function groupsIn(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const rules = (await Promise.all(Object.values(texts).map(rulesIn))).flat();
  const approvers = rules.flatMap((rule) => {
    const named = rule.kind === 'rule' ? rule.approvers : undefined;
    return typeof named === 'object' ? [named.group] : [];
  });
  return [...Object.keys(texts).filter((group) => group !== EVERYBODY), ...approvers];
}

/** Of a stored text: what is stored was read before. */
async function rulesIn(text: string): Promise<readonly Rule[]> {
  const parsed = await parseRules(text, { ofTeam: true });
  return parsed.kind === 'ok' ? parsed.rules.all : [];
}

const EVERYBODY = '';
const TEAM_RULES = 'team-rules';
