import { Dialog } from '@base-ui/react/dialog';
import { useEffect, type ReactNode } from 'react';
import dialog from '../parts/dialog.module.css';
import { PaletteList } from './palette-list.tsx';
import { focusedBefore, setPaletteOpen, usePaletteOpen } from './palette-open.ts';
import styles from './palette.module.css';

/** Everything from the keyboard: places, servers, tools and what can be done. */
export function Palette(): ReactNode {
  const open = usePaletteOpen();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
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
