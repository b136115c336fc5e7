import { lazy, Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { isTyping } from './is-typing.ts';
import { WAYS } from './shortcut-keys.ts';

const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

/** Single keys that lead somewhere, as long as nobody types; `?` shows them. They can be switched off. */
export function Shortcuts(): ReactNode {
  const [, go] = useLocation();
  const [open, setOpen] = useState(false);
  const [on, setOn] = useState(() => localStorage.getItem(KEPT) !== 'off');
  useKeys(
    on,
    useCallback(
      (keys) => {
        if (keys === '?') setOpen(true);
        const way = WAYS.find((each) => each.keys === keys);
        if (way !== undefined) go(way.to);
        return keys === '?' || way !== undefined;
      },
      [go],
    ),
  );
  const change = (next: boolean): void => {
    setOn(next);
    if (next) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, 'off');
  };
  if (!open) return null;
  return (
    <Suspense>
      <ShortcutList on={on} onChange={change} onClose={() => setOpen(false)} />
    </Suspense>
  );
}

const KEPT = 'plug.shortcuts';
const SECOND_KEY_MS = 1_000;

/** `g` waits a moment for the key that follows it. */
function useKeys(on: boolean, onKeys: (keys: string) => boolean): void {
  const first = useRef({ key: '', at: 0 });
  useEffect(() => {
    if (!on) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (isTyping(event.target)) return;
      const waits = first.current.key !== '' && event.timeStamp - first.current.at < SECOND_KEY_MS;
      const keys = waits ? `${first.current.key} ${event.key}` : event.key;
      first.current = keys === 'g' ? { key: 'g', at: event.timeStamp } : { key: '', at: 0 };
      if (onKeys(keys)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [on, onKeys]);
}
