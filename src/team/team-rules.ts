import { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Zod } from '../hub/operations/operation.ts';
import { parseRules } from '../policy/rules/parse.ts';
import type { SettingStore } from '../servers/store.ts';
import { teamLimits } from './limits.ts';
import { TEAM_OWNER } from './owners.ts';

/** By the names of groups; those for everybody under the empty name. */
export const rulesSchema = (z: Zod) =>
  z.record(z.string().max(teamLimits.nameCharsMax), z.string().max(teamLimits.rulesCharsMax));

type Texts = Readonly<Record<string, string>>;

interface TeamRulesOptions {
  readonly settings: SettingStore;
  readonly groupsOf: (person: string) => Promise<readonly string[]>;
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
    await this.#options.settings.putSetting(TEAM_OWNER, { name: TEAM_RULES, value: texts });
    return texts;
  }
}

const EVERYBODY = '';
const TEAM_RULES = 'team-rules';
