import { useSyncExternalStore } from 'react';

let open = false;
let before: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Opened by a key, by the rail, or by anybody who has no place for all actions. */
export function setPaletteOpen(next: boolean): void {
  if (next && !open) before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  open = next;
  for (const listener of listeners) listener();
}

export function isPaletteOpen(): boolean {
  return open;
}

/** What had the focus when it was opened. */
export function focusedBefore(): HTMLElement | null {
  return before;
}

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(listen, () => open);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
