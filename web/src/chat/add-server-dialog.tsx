import { lazy, Suspense, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { places } from '../frame/places.ts';
import { Dialog } from '../parts/dialog.tsx';

const PasteAnything = lazy(async () => ({
  default: (await import('../add/paste-anything.tsx')).PasteAnything,
}));

/** Adds a server without leaving the chat: what was typed there stays. */
export function AddServerDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [, go] = useLocation();
  return (
    <Dialog title="Add a server" open onClose={onClose} wide>
      <Suspense>
        <PasteAnything onImport={() => go(`${places.add}?from=clients`)} />
      </Suspense>
    </Dialog>
  );
}
