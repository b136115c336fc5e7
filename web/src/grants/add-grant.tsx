import { useRef, useState, type ReactNode } from 'react';
import type { NewGrant } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { ArgumentPatterns, type Pattern } from './argument-patterns.tsx';
import { ToolChoice } from './tool-choice.tsx';
import styles from './grants.module.css';

/** Lets a tool run without asking: which one, with which arguments, and for how long. */
export function AddGrant({ onClose }: { readonly onClose: () => void }): ReactNode {
  const toast = useToast();
  const first = useRef<HTMLInputElement>(null);
  const [tool, setTool] = useState('');
  const [patterns, setPatterns] = useState<readonly Pattern[]>([]);
  const [lasting, setLasting] = useState<Lasting>('until-revoked');
  const [day, setDay] = useState('');
  const add = useHubAction((hub, grant: NewGrant) => hub.grants.add(grant), [keys.grants]);
  const submit = (): void =>
    add.mutate(grantOf({ tool, patterns, lasting, day }), {
      onSuccess: ({ says }) => {
        toast.good('Granted', says);
        onClose();
      },
    });
  const ready = tool.trim() !== '' && (lasting !== 'until-day' || day !== '');
  return (
    <Dialog title="Add a grant" open onClose={onClose} initialFocus={first}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) submit();
        }}
      >
        <ToolChoice ref={first} value={tool} onChange={setTool} />
        {tool.includes('/') && <ArgumentPatterns value={patterns} onChange={setPatterns} />}
        <fieldset className={styles['choice']}>
          <legend>For how long</legend>
          {LASTING.map(([value, label]) => (
            <label key={value}>
              <input
                type="radio"
                name="lasting"
                checked={lasting === value}
                onChange={() => setLasting(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        {lasting === 'until-day' && <TextField label="Until" type="date" value={day} onChange={setDay} />}
        {add.error && <ErrorNote error={add.error} />}
        <footer className={styles['foot']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!ready} busy={add.isPending}>
            Grant
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

type Lasting = 'until-revoked' | 'session' | 'once' | 'until-day';

const LASTING: readonly (readonly [Lasting, string])[] = [
  ['once', 'For one call'],
  ['session', 'Until the hub stops'],
  ['until-day', 'Until a day'],
  ['until-revoked', 'Until I revoke it'],
];

function grantOf(given: {
  readonly tool: string;
  readonly patterns: readonly Pattern[];
  readonly lasting: Lasting;
  readonly day: string;
}): NewGrant {
  const named = given.patterns.filter(({ path, glob }) => path.trim() !== '' && glob !== '');
  return {
    tool: given.tool.trim(),
    ...(named.length > 0 && given.tool.includes('/')
      ? { args: Object.fromEntries(named.map(({ path, glob }) => [path.trim(), glob])) }
      : {}),
    ...(given.lasting === 'session' ? { session: true } : {}),
    ...(given.lasting === 'once' ? { once: true } : {}),
    ...(given.lasting === 'until-day' ? { until: Date.parse(given.day) } : {}),
  };
}
