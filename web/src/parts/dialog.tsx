import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Headless } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** What gets the focus first; else the first thing that can have it. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

/** Something in between; the focus returns to where it was. */
export function Dialog({
  title,
  open,
  onClose,
  children,
  wide = false,
  initialFocus,
}: DialogProps): ReactNode {
  return (
    <Headless.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Headless.Portal>
        <Headless.Backdrop className={styles['backdrop']} />
        <Headless.Popup
          className={wide ? `${styles['popup']} ${styles['wide']}` : styles['popup']}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <header className={styles['head']}>
            <Headless.Title>{title}</Headless.Title>
            <IconButton label="Close" icon="close" onClick={onClose} />
          </header>
          {children}
        </Headless.Popup>
      </Headless.Portal>
    </Headless.Root>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** What the button does: “Delete GitHub”. */
  readonly does: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back, and for nothing else. */
export function Confirm({
  title,
  open,
  onClose,
  does,
  onConfirm,
  busy = false,
  children,
}: ConfirmProps): ReactNode {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['backdrop']} />
        <AlertDialog.Popup className={styles['popup']}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className={styles['words']} />}>
            {children}
          </AlertDialog.Description>
          <footer className={styles['foot']}>
            <Button onClick={onClose}>Keep</Button>
            <Button look="danger" onClick={onConfirm} busy={busy}>
              {does}
            </Button>
          </footer>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
