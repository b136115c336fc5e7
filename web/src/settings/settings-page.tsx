import type { ReactNode } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import { Page } from '../frame/page.tsx';
import { places } from '../frame/places.ts';
import { PARTS } from './parts.tsx';
import styles from './settings.module.css';

/** Set once, for all faces. One part at a time; the address says which. */
export default function SettingsPage(): ReactNode {
  const { part } = useParams<{ readonly part?: string }>();
  const here = PARTS.find(({ id }) => id === part);
  if (here === undefined) return <Redirect to={`${places.settings}/${PARTS[0].id}`} replace />;
  return (
    <Page title="Settings">
      <div className={styles['split']}>
        <nav aria-label="Settings" className={styles['parts']}>
          {PARTS.map(({ id, label }) => (
            <Link
              key={id}
              href={`${places.settings}/${id}`}
              aria-current={id === part ? 'page' : undefined}
              className={styles['part']}
            >
              {label}
            </Link>
          ))}
        </nav>
        <section className={styles['panel']} aria-labelledby="part">
          <h2 id="part">{here.label}</h2>
          <here.Panel />
        </section>
      </div>
    </Page>
  );
}
