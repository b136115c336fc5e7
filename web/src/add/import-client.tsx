import { memo, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ImportFind } from '../hub/hub-context.tsx';
import { Chip } from '../parts/chip.tsx';
import { counted } from '../parts/words.ts';
import { clientTitle } from './client-title.ts';
import styles from './import.module.css';

interface ImportClientProps {
  readonly client: string;
  readonly found: readonly ImportFind[];
  readonly left: ReadonlySet<string>;
  readonly onPick: (refs: readonly string[], picked: boolean) => void;
}

/** The servers of one app, each to be taken or left. */
export function ImportClient({ client, found, left, onPick }: ImportClientProps): ReactNode {
  const possible = found.filter(({ skipped }) => skipped === undefined).map(({ ref }) => ref);
  const isAll = possible.length > 0 && possible.every((ref) => !left.has(ref));
  return (
    <fieldset className={styles['client']}>
      <legend>
        <label className={styles['all']}>
          <input
            type="checkbox"
            checked={isAll}
            disabled={possible.length === 0}
            onChange={() => onPick(possible, !isAll)}
          />
          {clientTitle(client)} <span className={styles['meta']}>{counted(found.length, 'server')}</span>
        </label>
      </legend>
      <ul className={styles['finds']}>
        {found.map((find) => (
          <Find key={find.ref} find={find} picked={!left.has(find.ref)} onPick={onPick} />
        ))}
      </ul>
    </fieldset>
  );
}

interface FindProps {
  readonly find: ImportFind;
  readonly picked: boolean;
  readonly onPick: ImportClientProps['onPick'];
}

const Find = memo(function Find({ find, picked, onPick }: FindProps): ReactNode {
  const { ref, id, name, target, transport, keys, skipped, enabled, file, line } = find;
  const { fields, references, warnings } = find;
  const isPossible = skipped === undefined;
  return (
    <li className={styles['find']}>
      <label className={styles['all']}>
        <input
          type="checkbox"
          checked={picked && isPossible}
          disabled={!isPossible}
          onChange={() => onPick([ref], !picked)}
        />
        <strong>{showHidden(name)}</strong>
        {id !== name && <span className={styles['meta']}>as {id}</span>}
      </label>
      <span className={styles['chips']}>
        <Chip>{transport === 'stdio' ? 'runs on this machine' : 'remote'}</Chip>
        {!enabled && <Chip>off</Chip>}
        {keys.length > 0 && (
          <Chip tone="warn" title={keys.map((key) => `${key.name}, ${key.where}`).join('\n')}>
            ▲ {counted(keys.length, 'readable key')}
          </Chip>
        )}
      </span>
      <code className={styles['target']}>{showHidden(target)}</code>
      <p className={styles['meta']}>
        {showHidden(file)}
        {line !== undefined && `, line ${line}`}
      </p>
      {skipped !== undefined && <p className={styles['meta']}>Not imported: {showHidden(skipped)}</p>}
      {fields.map(({ field, text }) => (
        <p key={field} className={styles['meta']}>
          {showHidden(field)} <code>{showHidden(text)}</code>
        </p>
      ))}
      {references.map(({ where, placeholder, says }) => (
        <p key={`${where} ${placeholder}`} className={styles['warning']}>
          ▲ {showHidden(says)}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} className={styles['meta']}>
          ▲ {showHidden(warning)}
        </p>
      ))}
    </li>
  );
});
