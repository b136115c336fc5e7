import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { useServers } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { Icon } from '../parts/icon.tsx';
import { STATES } from '../parts/state-badge.tsx';
import { TokenMeter } from '../parts/token-meter.tsx';
import type { ServerChoice } from './conversation.ts';
import styles from './composer.module.css';

interface ChosenServersProps {
  readonly choice: ServerChoice;
  readonly onChange: (choice: ServerChoice) => void;
  readonly onAdd: () => void;
}

/** Which servers the model may use for the next message, and what showing their tools costs. */
export function ChosenServers({ choice, onChange, onAdd }: ChosenServersProps): ReactNode {
  const { data } = useServers();
  const all = data?.servers ?? [];
  const { servers } = choice;
  return (
    <div className={styles['chips']}>
      <ul className={styles['chips']} aria-label="Servers for this message">
        {servers === undefined ? (
          <AutoChips all={all} off={choice.off ?? []} onChange={onChange} />
        ) : (
          <NamedChips all={all} servers={servers} onChange={onChange} />
        )}
      </ul>
      <Button look="quiet" icon="plus" onClick={onAdd}>
        Add server
      </Button>
      <Tokens servers={used(all, choice)} />
    </div>
  );
}

const SHOWN_MAX = 6;

interface AutoChipsProps {
  readonly all: readonly ServerView[];
  readonly off: readonly string[];
  readonly onChange: (choice: ServerChoice) => void;
}

/** Every server that could be used; a click leaves one out of this conversation, and another takes it back. */
function AutoChips({ all, off, onChange }: AutoChipsProps): ReactNode {
  const [more, setMore] = useState(false);
  const usable = all.filter(isUsable).toSorted((a, b) => a.name.localeCompare(b.name));
  const shown = more ? usable : usable.slice(0, SHOWN_MAX);
  const toggle = (id: string): void => {
    const next = off.includes(id) ? off.filter((each) => each !== id) : [...off, id];
    onChange(next.length === 0 ? {} : { off: next });
  };
  return (
    <>
      <li>
        <Chip title="Your request decides which of these are used">Auto</Chip>
      </li>
      {shown.map(({ id, name }) => {
        const isOn = !off.includes(id);
        return (
          <li key={id}>
            <button
              type="button"
              className={styles['toggle']}
              aria-pressed={isOn}
              title={isOn ? 'Leave out of this conversation' : 'Use again'}
              onClick={() => toggle(id)}
            >
              {showHidden(name)}
              <span className={styles['tick']}>{isOn && <Icon name="check" size={10} />}</span>
            </button>
          </li>
        );
      })}
      {usable.length > SHOWN_MAX && (
        <li>
          <Button look="quiet" onClick={() => setMore(!more)}>
            {more ? 'Fewer' : `${usable.length - SHOWN_MAX} more`}
          </Button>
        </li>
      )}
    </>
  );
}

interface NamedChipsProps {
  readonly all: readonly ServerView[];
  readonly servers: readonly string[];
  readonly onChange: (choice: ServerChoice) => void;
}

function NamedChips({ all, servers, onChange }: NamedChipsProps): ReactNode {
  return servers.map((id) => {
    const view = all.find((server) => server.id === id);
    const rest = servers.filter((each) => each !== id);
    return (
      <li key={id} className={styles['chip']}>
        {view && <span aria-hidden="true">{STATES[view.state.kind].symbol}</span>}
        {showHidden(view?.name ?? id)}
        {view === undefined && ' (gone)'}
        <button
          type="button"
          className={styles['remove']}
          aria-label={`Remove ${view?.name ?? id}`}
          onClick={() => onChange(rest.length === 0 ? {} : { servers: rest })}
        >
          <Icon name="close" size={10} />
        </button>
      </li>
    );
  });
}

/** Of those whose tools were counted. */
function Tokens({ servers }: { readonly servers: readonly ServerView[] }): ReactNode {
  const counts = servers.flatMap(({ tokens }) => tokens ?? []);
  if (counts.length === 0) return null;
  return (
    <span className={styles['meta']}>
      tools <TokenMeter tokens={counts.reduce((sum, count) => sum + count, 0)} />
    </span>
  );
}

function used(all: readonly ServerView[], { servers, off = [] }: ServerChoice): readonly ServerView[] {
  if (servers !== undefined) return all.filter(({ id }) => servers.includes(id));
  return all.filter((server) => isUsable(server) && !off.includes(server.id));
}

function isUsable({ enabled, toolsOffered }: ServerView): boolean {
  return enabled && toolsOffered > 0;
}
