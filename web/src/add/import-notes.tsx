import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ImportPreview } from '../hub/hub-context.tsx';
import { Icon } from '../parts/icon.tsx';
import { clientTitle } from './client-title.ts';
import styles from './add.module.css';

/** Servers that stand where their app does not look, and what could not be read. */
export function ImportNotes({ preview }: { readonly preview: ImportPreview }): ReactNode {
  const { nearMisses, problems } = preview;
  if (nearMisses.length === 0 && problems.length === 0) return null;
  return (
    <ul className={styles['list']} aria-label="Needs review">
      {nearMisses.map(({ client, file, servers, why }) => (
        <li key={file} className={styles['warning']}>
          <Icon name="warn" />
          <span>
            {showHidden(file)} looks like a file of {clientTitle(client)} with{' '}
            {servers.map((name) => showHidden(name)).join(', ')}, but is not read: {showHidden(why)}
          </span>
        </li>
      ))}
      {problems.map(({ client, file, line, message }) => (
        <li key={`${file}:${line}:${message}`} className={styles['warning']}>
          <Icon name="warn" />
          <span>
            {clientTitle(client)}: {showHidden(message)}
          </span>
        </li>
      ))}
    </ul>
  );
}
