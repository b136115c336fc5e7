import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialog.tsx';
import { Switch } from '../parts/switch.tsx';
import { isTyping } from './is-typing.ts';
import { places } from './places.ts';
import styles from './shortcuts.module.css';

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
  return (
    <Dialog title="Keyboard" open={open} onClose={() => setOpen(false)}>
      <dl className={styles['keys']}>
        {[...ALWAYS, ...WAYS].map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Switch label="Keyboard shortcuts" checked={on} onChange={change} shown />
    </Dialog>
  );
}

const KEPT = 'plug.shortcuts';
const SECOND_KEY_MS = 1_000;

const ALWAYS = [
  { keys: 'Ctrl+K', does: 'Go to or do anything (⌘K on a Mac)' },
  { keys: '?', does: 'Show this' },
  { keys: 'Esc', does: 'Close what is open' },
] as const;

const WAYS = [
  { keys: 'a', does: 'Add a server', to: places.add },
  { keys: 'g s', does: 'Servers', to: places.servers },
  { keys: 'g c', does: 'Chat', to: places.chat },
  { keys: 'g u', does: 'Add servers in a conversation', to: places.setup },
  { keys: 'g a', does: 'Activity', to: places.activity },
  { keys: 'g p', does: 'Approvals', to: places.approvals },
  { keys: 'g g', does: 'Grants', to: places.grants },
  { keys: 'g t', does: 'Settings', to: places.settings },
] as const;

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
