import { useSyncExternalStore } from 'react';

let open = false;
let before: HTMLElement | null = null;
let typed = '';
const listeners = new Set<() => void>();

/** Opened by a key, by the rail, or by anybody who has no place for all actions. */
export function setPaletteOpen(next: boolean): void {
  if (next && !open) {
    before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    typed = '';
    window.addEventListener('keydown', hold, { capture: true });
  }
  if (!next) takeTyped();
  open = next;
  for (const listener of listeners) listener();
}

/** What was typed until there was a box for it; from now on the box has the keys. */
export function takeTyped(): string {
  window.removeEventListener('keydown', hold, { capture: true });
  return typed;
}

/** The script of the palette may still be on its way: nothing that is typed meanwhile is lost, or a shortcut. */
function hold(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'Escape') setPaletteOpen(false);
  else if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
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
