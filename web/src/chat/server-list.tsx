import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { TokenMeter } from '../parts/token-meter.tsx';
import type { MentionList } from './use-mention.ts';
import styles from './composer.module.css';

/** The servers that `@` may mean. The focus stays in the box; the keys move through the list. */
export function ServerList({ id, servers, active, onPick }: MentionList): ReactNode {
  return (
    <ul id={id} role="listbox" aria-label="Servers" className={styles['list']}>
      {servers.map((server, index) => (
        <li
          key={server.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles['option']}
          // The box must not lose the focus before the click has been heard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(server.id)}
        >
          <span className={styles['name']}>{showHidden(server.name)}</span>
          <StateBadge state={server.state} />
          <span className={styles['meta']}>
            <TokenMeter tokens={server.tokens} />
          </span>
        </li>
      ))}
    </ul>
  );
}
