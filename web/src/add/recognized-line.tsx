import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { Recognized } from '../hub/hub-context.tsx';
import { Icon } from '../parts/icon.tsx';
import { counted } from '../parts/words.ts';
import { PasteProblems } from './paste-problems.tsx';
import { RepairNote } from './repair-note.tsx';
import styles from './add.module.css';

interface RecognizedLineProps {
  readonly recognized: Recognized | undefined;
  readonly text: string;
  /** Puts another text into the box. */
  readonly onUse: (text: string) => void;
}

/** “VS Code mcp.json, 3 servers, 1 value to fill in”, while one types. */
export function RecognizedLine({ recognized, text, onUse }: RecognizedLineProps): ReactNode {
  const declined = recognized?.servers.filter((server) => server.declined !== undefined) ?? [];
  return (
    <div className={styles['stack']}>
      <p role="status" className={`${styles['said']} ${styles['recognized']}`}>
        {recognized && <Words recognized={recognized} />}
      </p>
      {declined.map((server) => (
        <p key={server.name} className={styles['warning']}>
          <Icon name="warn" /> {showHidden(server.name)}: {server.declined}
        </p>
      ))}
      {recognized?.repair && <RepairNote repair={recognized.repair} text={text} onUse={onUse} />}
      {recognized && <PasteProblems problems={recognized.problems} />}
    </div>
  );
}

function Words({ recognized }: { readonly recognized: Recognized }): ReactNode {
  const { format, servers, notMcp } = recognized;
  if (notMcp !== undefined) return notMcp;
  const needs = [...new Set(servers.flatMap((server) => server.needs))];
  const names = servers.map(({ name }) => showHidden(name));
  const known = [format, needs.length > 0 && `${counted(needs.length, 'value')} to fill in`].filter(Boolean);
  if (known.length === 0) return null;
  return (
    <>
      <Icon name="check" />
      <span>
        <strong>{known.join(', ')}</strong>
        {names.length > 0 && ` · ${shortList(names)}`}
        {needs.length > 0 && ` · needs ${shortList(needs)}`}
      </span>
    </>
  );
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ');
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}

const SHOWN = 5;
