import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerSuggestion } from '../hub/hub-context.tsx';
import buttons from '../parts/button.module.css';
import styles from './turn-view.module.css';

/** Servers that would help and are not there yet, each with the button that adds it. */
export function Suggestions({
  suggestions,
}: {
  readonly suggestions: readonly ServerSuggestion[];
}): ReactNode {
  return (
    <ul className={styles['suggestions']} aria-label="Servers that would help">
      {suggestions.map((suggestion) => (
        <li key={suggestion.add} className={styles['suggestion']}>
          <span>
            <strong>{showHidden(suggestion.name)}</strong> would help: {showHidden(suggestion.why)}
          </span>
          <Link href={placeFor(suggestion)} className={buttons['button']}>
            {suggestion.from === 'disabled' ? 'Switch on' : `Add ${showHidden(suggestion.name)}`}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function placeFor({ from, add }: ServerSuggestion): string {
  return from === 'disabled' ? places.server(add) : `${places.add}?text=${encodeURIComponent(add)}`;
}
