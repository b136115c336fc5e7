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
        Describe it, or paste a URL, a command, a config or a screenshot. Nothing happens until you confirm.
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
