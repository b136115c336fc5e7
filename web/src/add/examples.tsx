import type { ReactNode } from 'react';
import { useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { counted } from '../parts/words.ts';
import { clientTitle } from './client-title.ts';
import { FEATURED } from './featured.ts';
import styles from './add.module.css';

interface ExamplesProps {
  /** Goes on with a text, as if it were typed. */
  readonly onTake: (text: string) => void;
  /** Absent where the apps of this machine are nobody's business. */
  readonly onImport?: (() => void) | undefined;
}

/** What one may type here, for who has nothing to paste yet. */
export function Examples({ onTake, onImport }: ExamplesProps): ReactNode {
  const { data } = useHubQuery(['imports'], (hub) => hub.imports.scan(), { enabled: onImport !== undefined });
  const found = data?.found.filter(({ skipped }) => skipped === undefined) ?? [];
  return (
    <>
      <section className={styles['stack']} aria-label="Examples">
        <p className={styles['meta']}>For example:</p>
        <div className={styles['chips']}>
          {(onImport ? [...REMOTE, LOCAL] : REMOTE).map((example) => (
            <Button key={example} onClick={() => onTake(example)}>
              {example}
            </Button>
          ))}
        </div>
      </section>
      <section className={styles['stack']} aria-label="Well-known servers">
        <p className={styles['meta']}>Or pick a well-known one:</p>
        <div className={styles['chips']}>
          {FEATURED.map(({ name, words }) => (
            <Button key={words} onClick={() => onTake(words)}>
              {name}
            </Button>
          ))}
        </div>
      </section>
      {onImport && found.length > 0 && (
        <section className={styles['banner']} aria-label="Other apps on this machine">
          <p>
            {clientsOf(found)} {clientsIn(found) === 1 ? 'has' : 'have'} {counted(found.length, 'server')} on
            this machine.
          </p>
          <Button onClick={onImport}>Look at {found.length === 1 ? 'it' : 'them'}</Button>
        </section>
      )}
    </>
  );
}

const REMOTE = ['connect me to Notion', 'https://mcp.deepwiki.com/mcp'] as const;
const LOCAL = 'npx -y @modelcontextprotocol/server-memory';

function clientsIn(found: readonly { readonly client: string }[]): number {
  return new Set(found.map(({ client }) => client)).size;
}

function clientsOf(found: readonly { readonly client: string }[]): string {
  const names = [...new Set(found.map(({ client }) => clientTitle(client)))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(' and ');
}
