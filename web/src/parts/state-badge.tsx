import type { ReactNode } from 'react';
import type { ServerState } from '../hub/hub-context.tsx';
import styles from './tone.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

/** Each state with a symbol and a word, so that the colour never speaks alone. */
export const STATES: Readonly<
  Record<ServerState['kind'], { readonly tone: Tone; readonly symbol: string; readonly word: string }>
> = {
  ready: { tone: 'good', symbol: '●', word: 'ready' },
  asleep: { tone: 'quiet', symbol: '○', word: 'asleep' },
  starting: { tone: 'info', symbol: '◌', word: 'starting' },
  degraded: { tone: 'warn', symbol: '◐', word: 'degraded' },
  'needs-sign-in': { tone: 'warn', symbol: '◐', word: 'sign in' },
  'needs-input': { tone: 'warn', symbol: '◐', word: 'needs a value' },
  quarantined: { tone: 'warn', symbol: '▲', word: 'changed' },
  failed: { tone: 'bad', symbol: '✖', word: 'failed' },
  disabled: { tone: 'quiet', symbol: '–', word: 'off' },
};

export function StateBadge({ state }: { readonly state: ServerState }): ReactNode {
  const { tone, symbol, word } = STATES[state.kind];
  const isKeyless = state.kind === 'needs-sign-in' && state.needs !== undefined;
  return (
    <span className={`${styles['badge']} ${styles[tone]}`}>
      <span aria-hidden="true">{symbol}</span> {isKeyless ? 'needs a key' : word}
    </span>
  );
}
