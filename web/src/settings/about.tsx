import { sizeInWords } from '../../../src/base/size-in-words.ts';
import type { ReactNode } from 'react';
import { keys, useHubQuery } from '../hub/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { When } from '../parts/when.tsx';
import { counted } from '../parts/words.ts';
import styles from './settings.module.css';

/** Which hub this is, where it keeps its things, and how much it needs. */
export function About(): ReactNode {
  const { data, error } = useHubQuery(keys.status, (hub) => hub.status());
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <p className={styles['meta']}>Loading…</p>;
  return (
    <dl className={styles['facts']}>
      <dt>Version</dt>
      <dd>{data.version}</dd>
      <dt>Running since</dt>
      <dd>
        <When at={data.startedAt} /> (process {data.pid})
      </dd>
      {data.url !== undefined && (
        <>
          <dt>Address</dt>
          <dd>
            <code>{data.url}</code> <CopyButton text={data.url} />
          </dd>
        </>
      )}
      <dt>Its files</dt>
      <dd>
        <code>{data.home}</code> <CopyButton text={data.home} />
      </dd>
      <dt>Storage</dt>
      <dd>{STORAGE[data.storage]}</dd>
      <dt>Memory</dt>
      <dd>{sizeInWords(data.memoryBytes)}</dd>
      <dt>Installed packages</dt>
      <dd>
        {counted(data.packages.count, 'package')}, {sizeInWords(data.packages.bytes)}
      </dd>
      <dt>Connections</dt>
      <dd>
        {counted(data.live, 'live connection')}, {counted(data.tools, 'tool')}
      </dd>
    </dl>
  );
}

const STORAGE = {
  memory: 'In memory: gone when the hub stops',
  sqlite: 'A file (SQLite)',
  postgres: 'A database (PostgreSQL)',
} as const;
