import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { setDraft } from './talk.ts';
import { focusComposer } from './focus-composer.ts';
import styles from './setup.module.css';

/** What one can say here, before anything was said. */
export function Starters({ onSay }: { readonly onSay: (text: string) => void }): ReactNode {
  return (
    <div className={styles['starters']}>
      <h2>What do you want to connect?</h2>
      <p className={styles['meta']}>
        Say it in your own words, or paste an address, a command, a configuration or a screenshot. You agree
        to everything before it happens.
      </p>
      <ul>
        {SAYINGS.map((text) => (
          <li key={text}>
            <Button onClick={() => onSay(text)}>{text}</Button>
          </li>
        ))}
        <li>
          <Button
            onClick={() => {
              setDraft('{\n  "mcpServers": {\n    \n  }\n}');
              focusComposer();
            }}
          >
            Paste a configuration
          </Button>
        </li>
      </ul>
    </div>
  );
}

const SAYINGS = [
  'Connect me to Notion',
  'What servers do I have?',
  'npx -y @modelcontextprotocol/server-memory',
];
