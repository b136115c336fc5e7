import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import buttons from '../parts/button.module.css';
import { CopyButton } from '../parts/copy-button.tsx';
import styles from './settings.module.css';

/** A next step that was written for a terminal: the place of the page that does it, else the words to copy. */
export function NextStep({ next }: { readonly next: string }): ReactNode {
  const place = placeOf(next);
  if (place !== undefined) {
    return (
      <Link href={place.to} className={buttons['button']}>
        {place.label}
      </Link>
    );
  }
  return (
    <span className={styles['buttons']}>
      <span>{showHidden(next)}</span> {next.startsWith('plug ') && <CopyButton text={next} />}
    </span>
  );
}

function placeOf(next: string): { readonly label: string; readonly to: string } | undefined {
  const [, command = '', server] = /^plug ([a-z]+)(?: ([a-z0-9][a-z0-9._-]*))?$/.exec(next) ?? [];
  const tab = TABS[command];
  if (tab !== undefined && server !== undefined) return { label: tab[0], to: places.server(server, tab[1]) };
  if (next.startsWith('plug secrets')) return { label: 'Open the vault', to: `${places.settings}/vault` };
  if (next.startsWith('plug model')) return { label: 'See the models', to: `${places.settings}/models` };
  if (next.startsWith('plug auth ') && server !== undefined) {
    return { label: 'Sign in', to: places.server(server, 'accounts') };
  }
  return undefined;
}

const TABS: Readonly<Record<string, readonly [label: string, tab: string]>> = {
  logs: ['See its log', 'logs'],
  auth: ['Sign in', 'accounts'],
  tools: ['See its tools', 'tools'],
  doctor: ['Check it', 'check'],
  restart: ['Open it', 'tools'],
  enable: ['Open it', 'tools'],
};
