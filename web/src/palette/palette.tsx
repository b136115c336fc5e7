import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { whenIdle } from '../frame/when-idle.ts';
import { setPaletteOpen, usePaletteOpen } from './palette-open.ts';

const loadDialog = (): Promise<typeof import('./palette-dialog.tsx')> => import('./palette-dialog.tsx');
const PaletteDialog = lazy(loadDialog);

/** Everything from the keyboard: places, servers, tools and what can be done. */
export function Palette(): ReactNode {
  const open = usePaletteOpen();
  const wasOpened = useRef(false);
  if (open) wasOpened.current = true;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    // The first key should not wait for what it opens.
    const leave = whenIdle(() => void loadDialog().catch(() => undefined));
    return () => {
      leave();
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  if (!wasOpened.current) return null;
  return (
    <Suspense>
      <PaletteDialog />
    </Suspense>
  );
}
