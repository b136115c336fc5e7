import { useEffect, useEffectEvent } from 'react';

interface CardKeys {
  readonly grid: { readonly current: HTMLElement | null };
  /** In the order in which they are shown. */
  readonly ids: readonly string[];
  /** Brings the card at this place into sight. */
  readonly show: (index: number) => void;
}

/** `j` and `k` go from card to card, `.` opens the menu of the one that has the focus. */
export function useCardKeys({ grid, ids, show }: CardKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const card = cardOf(document.activeElement);
    if (event.key === 'j' || event.key === 'k') {
      const at = card === undefined ? -1 : ids.indexOf(card);
      const next = Math.min(ids.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)));
      event.preventDefault();
      focusCard(next);
    } else if (event.key === '.' && card !== undefined) {
      event.preventDefault();
      linkOf(grid.current, card)
        ?.closest('article')
        ?.querySelector<HTMLButtonElement>('[aria-haspopup="menu"]')
        ?.click();
    }
  });
  const focusCard = (index: number): void => {
    const id = ids[index];
    if (id === undefined) return;
    show(index);
    // A card that was out of sight exists only after the next rendering.
    const focus = (): void => linkOf(grid.current, id)?.focus({ preventScroll: false });
    if (linkOf(grid.current, id)) focus();
    else window.setTimeout(focus, NEXT_RENDERING_MS);
  };
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const NEXT_RENDERING_MS = 60;

function cardOf(element: Element | null): string | undefined {
  const link = element?.closest('article')?.querySelector<HTMLElement>('[data-card]');
  return link?.dataset['card'];
}

function linkOf(grid: HTMLElement | null, id: string): HTMLElement | undefined {
  return grid?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`) ?? undefined;
}

export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('[role=menu],[role=dialog],[role=alertdialog],[role=listbox]') !== null)
  );
}
