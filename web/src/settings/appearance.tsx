import { useState, type ReactNode } from 'react';
import { setTheme, theme, type Theme } from './theme.ts';
import styles from './settings.module.css';

/** Light or dark, on this browser. */
export function Appearance(): ReactNode {
  const [chosen, setChosen] = useState(theme);
  return (
    <fieldset className={styles['radios']}>
      <legend className="only-heard">Theme</legend>
      {THEMES.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="theme"
            checked={chosen === value}
            onChange={() => {
              setTheme(value);
              setChosen(value);
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];
