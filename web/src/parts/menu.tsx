import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import buttons from './button.module.css';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

interface MenuProps {
  /** Heard, and shown on hover: “Actions for GitHub”. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: IconName;
  /** It is open as soon as it is there. */
  readonly openAtFirst?: boolean;
}

/**
 * A button with a menu, on the browser's own popovers: they are above everything, close by
 * themselves when one clicks elsewhere or presses Escape, and give the focus back.
 */
export function Menu({ label, items, icon = 'more', openAtFirst = false }: MenuProps): ReactNode {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (openAtFirst) trigger.current?.click();
  }, [openAtFirst]);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`${buttons['button']} ${buttons['quiet']} ${buttons['square']}`}
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          trigger.current?.click();
        }}
      >
        <Icon name={icon} />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles['popup']}
        onToggle={({ newState }) => {
          trigger.current?.setAttribute('aria-expanded', String(newState === 'open'));
          if (newState === 'open' && menu.current && trigger.current) {
            place(menu.current, trigger.current);
            moveTo(menu.current, 0);
          }
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            // What had the focus before it opened may not be there any more: the browser would lose it.
            menu.current?.hidePopover();
            trigger.current?.focus();
          }
          move(event, menu.current);
        }}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={item.danger ? `${styles['item']} ${styles['danger']}` : styles['item']}
            disabled={item.disabled ?? false}
            onClick={() => {
              menu.current?.hidePopover();
              item.onChoose();
            }}
          >
            {item.icon && <Icon name={item.icon} />} {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

/** Under the button and in line with its right end; above it where there is no room below. */
function place(menu: HTMLElement, trigger: HTMLElement): void {
  const from = trigger.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = from.bottom + GAP;
  const top = below + height > window.innerHeight ? Math.max(GAP, from.top - GAP - height) : below;
  menu.style.top = `${top}px`;
  menu.style.left = `${Math.max(GAP, from.right - width)}px`;
}

const GAP = 4;

function itemsOf(menu: HTMLElement): readonly HTMLButtonElement[] {
  return [...menu.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not(:disabled)')];
}

function moveTo(menu: HTMLElement, index: number): void {
  const items = itemsOf(menu);
  items.at(index % items.length)?.focus();
}

function move(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (!menu) return;
  const items = itemsOf(menu);
  const now = items.findIndex((item) => item === document.activeElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: now + 1,
    ArrowUp: now - 1,
    Home: 0,
    End: -1,
  };
  const next = steps[event.key] ?? startingWith(event.key, items, now);
  if (event.key === 'Tab') menu.hidePopover();
  // Keys of a menu are not keys of the page: Escape closes it and nothing more.
  event.stopPropagation();
  if (next === undefined) return;
  event.preventDefault();
  moveTo(menu, next);
}

/** A letter goes to the next item that begins with it. */
function startingWith(key: string, items: readonly HTMLElement[], now: number): number | undefined {
  if (key.length !== 1 || key === ' ') return undefined;
  const order = items.map((_, index) => (now + 1 + index) % items.length);
  return order.find((index) => items[index]?.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}
