import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import dialog from '../parts/dialog.module.css';
import { PaletteList } from './palette-list.tsx';
import { focusedBefore, setPaletteOpen, usePaletteOpen } from './palette-open.ts';
import styles from './palette.module.css';

/** Loaded when it is first opened; from then on it stays, so that it can close in its own time. */
export default function PaletteDialog(): ReactNode {
  const open = usePaletteOpen();
  return (
    <Dialog.Root open={open} onOpenChange={setPaletteOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup
          className={`${dialog['popup']} ${styles['popup']}`}
          initialFocus={false}
          finalFocus={focusedBefore}
        >
          <Dialog.Title className="only-heard">Go to or do anything</Dialog.Title>
          <PaletteList onDone={() => setPaletteOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
