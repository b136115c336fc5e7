import { useSyncExternalStore, type ReactNode } from 'react';
import { ago } from './words.ts';

/** “12 s ago”, with the exact time on hover. One clock for the whole page. */
export function When({ at }: { readonly at: number }): ReactNode {
  const now = useSyncExternalStore(listen, () => current);
  const exact = new Date(at);
  return (
    <time dateTime={exact.toISOString()} title={exact.toLocaleString()}>
      {ago(at, Math.max(at, now))}
    </time>
  );
}

let current = Date.now();
const listeners = new Set<() => void>();
let timer: number | undefined;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    current = Date.now();
    for (const each of listeners) each();
  }, 5_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}
