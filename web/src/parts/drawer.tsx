import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './drawer.module.css';

interface DrawerProps {
  readonly title: ReactNode;
  /** Heard as the name of the region. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Over the page, which stays as it is and can still be used. On a phone, a page of its own. */
export function Drawer({ title, label, onClose, children }: DrawerProps): ReactNode {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside
      ref={panel}
      className={styles['drawer']}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      <div className={styles['body']}>{children}</div>
    </aside>
  );
}
