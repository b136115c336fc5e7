import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../parts/icon.tsx';
import { setPaletteOpen } from '../palette/palette-open.ts';
import { places, RAIL } from './places.ts';
import styles from './rail.module.css';

/** The ways through the page; a bar at the bottom on a phone. */
export function Rail(): ReactNode {
  const [location] = useLocation();
  const place = location.startsWith(places.add) ? places.setup : location;
  const here = (to: string): 'page' | undefined => (place.startsWith(to) ? 'page' : undefined);
  return (
    <nav className={styles['rail']} aria-label="Plugboard">
      <p className={styles['name']}>
        <Icon name="mark" /> <span>plug</span>
      </p>
      <button
        type="button"
        className={`${styles['way']} ${styles['find']}`}
        title="Go to or do anything (Ctrl+K)"
        onClick={() => setPaletteOpen(true)}
      >
        <Icon name="search" />
        <span>Search</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {RAIL.map(({ to, label, icon }) => (
        <Link key={to} href={to} aria-current={here(to)} className={styles['way']} title={label}>
          <Icon name={icon} />
          <span>{label}</span>
        </Link>
      ))}
      <Link
        href={places.settings}
        aria-current={here(places.settings)}
        className={`${styles['way']} ${styles['last']}`}
        title="Settings"
      >
        <Icon name="gear" />
        <span>Settings</span>
      </Link>
    </nav>
  );
}
