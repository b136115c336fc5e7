import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { PaletteItem } from './item.ts';
import { isPaletteOpen, takeTyped } from './palette-open.ts';
import { usePaletteItems } from './use-palette-items.ts';
import styles from './palette.module.css';

interface PaletteListProps {
  readonly onDone: () => void;
}

/** A box and what fits it. The arrows move, Enter does it. */
export function PaletteList({ onDone }: PaletteListProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  // At once, and not a moment later: someone who types on must not lose a letter.
  useLayoutEffect(() => {
    box.current?.focus();
    setTyped(takeTyped());
  }, []);
  const [at, setAt] = useState(0);
  const items = usePaletteItems(typed);
  const here = Math.min(at, Math.max(0, items.length - 1));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [here, items]);
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    onDone();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = stepOf(event.key, here, items.length);
    if (to !== undefined) setAt(to);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(items[here]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={box}
        className={styles['box']}
        role="combobox"
        aria-label="Go to or do anything"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={items.length === 0 ? undefined : `palette-${here}`}
        placeholder="Go to a place, a server or a tool, or do something"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          // What opens behind it, such as a drawer, asks for the focus, too; it is here until one is done.
          if (isPaletteOpen()) box.current?.focus();
        }}
      />
      <div ref={list} id="palette-list" role="listbox" aria-label="What fits" className={styles['list']}>
        {items.map((item, index) => (
          <div
            key={item.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === here}
            className={styles['item']}
            onClick={() => run(item)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={item.icon} />
            <span className={styles['label']}>{item.label}</span>
            <span className={styles['more']}>{item.more ?? item.group}</span>
          </div>
        ))}
      </div>
      <p role="status" className={items.length === 0 ? styles['none'] : 'only-heard'}>
        {items.length === 0 ? 'Nothing fits.' : `${items.length} found`}
      </p>
    </>
  );
}

function stepOf(key: string, here: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (here + 1) % count;
    case 'ArrowUp':
      return (here + count - 1) % count;
    case 'PageDown':
      return Math.min(count - 1, here + 8);
    case 'PageUp':
      return Math.max(0, here - 8);
    default:
      return undefined;
  }
}
