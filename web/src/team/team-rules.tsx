import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Fold } from '../parts/fold.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import form from '../parts/form/form.module.css';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import { EMPTY_RULE, ruleOf, withoutRule, withRule, type RuleDraft } from './rule-form.ts';
import { isAdmin, type Me, type TeamGroup, type TeamRuleList } from './team-types.ts';

type Texts = Readonly<Record<string, string>>;

/** What the team's people may call, and who has to approve. Auditors read it. */
export function TeamRules({ me }: { readonly me: Me }): ReactNode {
  const { data, error } = useTeam<readonly TeamRuleList[]>('/v1/team/rule-list');
  const { data: groups = [] } = useTeam<readonly TeamGroup[]>('/v1/team/groups');
  const act = useTeamAction();
  const [removed, setRemoved] = useState<{ readonly name: string; readonly before: Texts }>();
  const texts: Texts = Object.fromEntries((data ?? []).map(({ group, text }) => [group, text]));
  const save = (rules: Texts): Promise<unknown> =>
    act.mutateAsync({ method: 'PUT', path: '/v1/team/rules', body: { rules } });
  const remove = async (group: string, index: number, name: string): Promise<void> => {
    await save({ ...texts, [group]: withoutRule(texts[group] ?? '', index) ?? '' });
    setRemoved({ name, before: texts });
  };
  const lists = (data ?? []).filter(({ rules }) => rules.length > 0);
  return (
    <section aria-label="Rules">
      <h2>Rules</h2>
      <p className={styles['lead']}>Rules of the team come before each person’s own.</p>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      {data && lists.length === 0 && <p>No rules yet: each person’s own rules decide.</p>}
      {lists.map(({ group, text, rules }) => (
        <div key={group}>
          <h3>{group === '' ? 'Everybody' : group}</h3>
          <ul className={styles['rows']} aria-label={`Rules for ${nameOf(group)}`}>
            {rules.map(({ name, says }, index) => (
              <li key={name} className={styles['row']}>
                <div className={styles['what']}>
                  <strong>{name}</strong>
                  <p>{says}</p>
                </div>
                {isAdmin(me) && withoutRule(text, index) !== undefined && (
                  <Button
                    look="quiet"
                    aria-label={`Remove ${name}`}
                    onClick={() => void remove(group, index, name).catch(() => undefined)}
                  >
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {removed && (
        <p role="status">
          Removed “{removed.name}”.{' '}
          <Button
            look="quiet"
            onClick={() =>
              void save(removed.before).then(
                () => setRemoved(undefined),
                () => undefined,
              )
            }
          >
            Undo
          </Button>
        </p>
      )}
      {isAdmin(me) && data && <AddRule groups={groups} texts={texts} save={save} />}
      {isAdmin(me) && data && (
        <Fold label="Edit as text">
          {['', ...groups.map(({ name }) => name)].map((group) => (
            <RulesText
              key={`${group}\n${texts[group] ?? ''}`}
              group={group}
              text={texts[group] ?? ''}
              save={(text) => save(replaced(texts, group, text))}
            />
          ))}
        </Fold>
      )}
    </section>
  );
}

function nameOf(group: string): string {
  return group === '' ? 'everybody' : group;
}

function replaced(texts: Texts, group: string, text: string): Texts {
  const others = Object.entries(texts).filter(([name]) => name !== group);
  return Object.fromEntries(text.trim() === '' ? others : [...others, [group, text]]);
}

interface AddRuleProps {
  readonly groups: readonly TeamGroup[];
  readonly texts: Texts;
  readonly save: (texts: Texts) => Promise<unknown>;
}

const RISK_CHOICES = [
  { value: 'any', label: 'All tools' },
  { value: 'changes', label: 'Tools that can change data' },
  { value: 'destructive', label: 'Destructive tools' },
] as const;

function AddRule({ groups, texts, save }: AddRuleProps): ReactNode {
  const [draft, setDraft] = useState<RuleDraft>(EMPTY_RULE);
  const [isText, setIsText] = useState(false);
  const set = (change: Partial<RuleDraft>): void => setDraft({ ...draft, ...change });
  const people = [
    { value: '', label: 'Everybody' },
    ...groups.map(({ name }) => ({ value: name, label: name })),
  ];
  const effects = [
    { value: 'deny', label: 'Deny' },
    { value: 'ask', label: 'Ask the person' },
    { value: 'ask:admins', label: 'Ask an admin' },
    ...groups.map(({ name }) => ({ value: `ask:group ${name}`, label: `Ask ${name}` })),
    { value: 'allow', label: 'Allow' },
  ];
  const add = async (): Promise<void> => {
    const text = withRule(texts[draft.group], ruleOf(draft));
    setIsText(text === undefined);
    if (text === undefined) return;
    await save({ ...texts, [draft.group]: text });
    // Meanwhile, the next one may have been begun.
    setDraft((now) => (now === draft ? EMPTY_RULE : now));
  };
  return (
    <form
      className={styles['form']}
      aria-label="New rule"
      onSubmit={(event) => {
        event.preventDefault();
        // What is wrong with it is shown above.
        void add().catch(() => undefined);
      }}
    >
      <div className={styles['two']}>
        <TextField label="Name of the rule" value={draft.name} onChange={(name) => set({ name })} required />
        <TextField
          label="Tools"
          value={draft.tool}
          onChange={(tool) => set({ tool })}
          hint="Such as bank/* or */delete_file"
          pattern=".*/.*"
          title="A server, a slash and a tool; * stands for any."
          required
        />
      </div>
      <div className={styles['buttons']}>
        <Select label="For" value={draft.group} choices={people} onChange={(group) => set({ group })} />
        <Select
          label="Kind of tools"
          value={draft.risk}
          choices={RISK_CHOICES}
          onChange={(risk) => set({ risk })}
        />
        <Select label="Then" value={draft.effect} choices={effects} onChange={(effect) => set({ effect })} />
        <Button type="submit">Add rule</Button>
      </div>
      {isText && <p role="alert">These rules have comments. Add the rule under “Edit as text”.</p>}
    </form>
  );
}

interface RulesTextProps {
  readonly group: string;
  readonly text: string;
  readonly save: (text: string) => Promise<unknown>;
}

function RulesText({ group, text, save }: RulesTextProps): ReactNode {
  const [now, setNow] = useState(text);
  const id = `rules-text-${group}`;
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void save(now).catch(() => undefined);
      }}
    >
      <label htmlFor={id}>Rules file for {nameOf(group)}</label>
      <textarea
        id={id}
        className={form['area']}
        rows={Math.min(16, now.split('\n').length + 1)}
        spellCheck={false}
        value={now}
        onChange={({ target }) => setNow(target.value)}
      />
      <div className={styles['buttons']}>
        <Button type="submit" disabled={now === text} aria-label={`Save the rules for ${nameOf(group)}`}>
          Save
        </Button>
      </div>
    </form>
  );
}
