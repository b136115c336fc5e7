import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Fills the height and scrolls inside, as a chat does. */
  readonly tall?: boolean;
}

/** One place: its name, what can be done there, and the rest. */
export function Page({ title, actions, children, tall = false }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Plugboard`;
  }, [title]);
  return (
    <main id="content" className={tall ? `${styles['page']} ${styles['tall']}` : styles['page']}>
      <header className={styles['head']}>
        <h1>{title}</h1>
        <div className={styles['actions']}>{actions}</div>
      </header>
      {children}
    </main>
  );
}
