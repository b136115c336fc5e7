import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { useQuery } from '@tanstack/react-query';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHub, type ToolView } from '../hub/hub-context.tsx';
import { useServers } from '../hub/queries.ts';
import { RiskChip } from '../parts/risk-chip.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from './grants.module.css';

interface ToolChoiceProps {
  /** `server/tool`, or `server` for everything on it that reads. */
  readonly value: string;
  readonly onChange: (ref: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

const SHOWN_MAX = 50;

/** Finds one tool among all, by typing. The arrows move, Enter takes. */
export function ToolChoice({ value, onChange, ref: input }: ToolChoiceProps): ReactNode {
  const [open, setOpen] = useState(true);
  const [here, setHere] = useState(0);
  const { options, pending } = useOptions(value);
  const listId = useId();
  const take = (ref: string): void => {
    onChange(ref);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open) return;
    // Enter takes what is shown; until something is, it neither takes nor sends the form.
    if (pending && event.key === 'Enter') event.preventDefault();
    if (options.length === 0) return;
    if (event.key === 'ArrowDown') setHere((here + 1) % options.length);
    else if (event.key === 'ArrowUp') setHere((here + options.length - 1) % options.length);
    else if (event.key === 'Enter') take(options[Math.min(here, options.length - 1)]?.ref ?? value);
    else return;
    event.preventDefault();
  };
  return (
    <div onKeyDown={onKeyDown}>
      <TextField
        label="Tool"
        placeholder="Search by name or purpose"
        value={value}
        onChange={(next) => {
          onChange(next);
          setHere(0);
          setOpen(true);
        }}
        role="combobox"
        aria-expanded={open && options.length > 0}
        aria-controls={listId}
        aria-activedescendant={open && options.length > 0 ? `${listId}-${here}` : undefined}
        {...(input === undefined ? {} : { ref: input })}
      />
      {open && options.length > 0 && (
        <div id={listId} role="listbox" aria-label="Tools" className={styles['options']}>
          {options.map(({ ref, tool }, index) => (
            <button
              key={ref}
              id={`${listId}-${index}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === here}
              data-here={index === here}
              className={styles['option']}
              onClick={() => take(ref)}
            >
              <span>{tool ? showHidden(ref) : `All read-only tools of ${ref}`}</span>
              {tool ? <RiskChip risk={tool.risk} /> : null}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

interface Option {
  readonly ref: string;
  readonly tool?: ToolView;
}

/** Only what belongs to the typed text: a list of an earlier one would grant a tool that nobody named. */
function useOptions(typed: string): { readonly options: readonly Option[]; readonly pending: boolean } {
  const hub = useHub();
  const search = typed.trim();
  const { data: servers } = useServers();
  const { data: found, isPending: pending } = useQuery({
    queryKey: ['tools-found', search],
    queryFn: () => hub.tools.list(search === '' ? {} : { search }),
    staleTime: 10_000,
  });
  if (pending) return { options: [], pending };
  const word = search.toLowerCase();
  const whole = (servers?.servers ?? [])
    .filter(({ id }) => id.toLowerCase().includes(word) && !word.includes('/'))
    .slice(0, 5)
    .map(({ id }) => ({ ref: id }));
  const tools = (found?.tools ?? []).slice(0, SHOWN_MAX).map((tool) => ({ ref: tool.ref, tool }));
  return { options: [...tools, ...whole], pending };
}
