import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useServers } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { Icon } from '../parts/icon.tsx';
import { TokenMeter } from '../parts/token-meter.tsx';
import { STATES } from '../parts/state-badge.tsx';
import styles from './composer.module.css';

interface ChosenServersProps {
  readonly servers: readonly string[];
  readonly onChange: (servers: readonly string[]) => void;
  readonly onAdd: () => void;
}

/** Which servers the model may use for the next message, and what showing their tools costs. */
export function ChosenServers({ servers, onChange, onAdd }: ChosenServersProps): ReactNode {
  const { data } = useServers();
  const views = servers.map((id) => ({ id, view: data?.servers.find((server) => server.id === id) }));
  const counts = views.map(({ view }) => view?.tokens);
  const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0);
  return (
    <div className={styles['chips']}>
      <span className={styles['meta']}>Servers:</span>
      <ul className={styles['chips']} aria-label="Servers for this message">
        {servers.length === 0 && (
          <li>
            <Chip title="As needed">Auto</Chip>
          </li>
        )}
        {views.map(({ id, view }) => (
          <li key={id} className={styles['chip']}>
            {view && <span aria-hidden="true">{STATES[view.state.kind].symbol}</span>}
            {showHidden(view?.name ?? id)}
            {view === undefined && ' (gone)'}
            <button
              type="button"
              className={styles['remove']}
              aria-label={`Remove ${view?.name ?? id}`}
              onClick={() => onChange(servers.filter((each) => each !== id))}
            >
              <Icon name="close" size={10} />
            </button>
          </li>
        ))}
      </ul>
      <Button look="quiet" icon="plus" onClick={onAdd}>
        Server
      </Button>
      {servers.length > 0 && counts.some((count) => count !== undefined) && (
        <span className={styles['meta']}>
          tools <TokenMeter tokens={sum} />
        </span>
      )}
    </div>
  );
}
