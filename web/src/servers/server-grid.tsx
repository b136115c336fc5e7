import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useGridRows } from './grid-rows.ts';
import type { Section } from './order.ts';
import { scrollerOf, topWithin } from './scroller.ts';
import { ServerCard } from './server-card.tsx';
import { useTokenCounts } from './use-token-counts.ts';
import { useCardKeys } from './use-card-keys.ts';
import { useDays } from './use-day.ts';
import styles from './server-grid.module.css';

interface ServerGridProps {
  readonly sections: readonly Section[];
  /** Whose drawer is open. */
  readonly chosen: string | undefined;
}

/** Cards in as many columns as there is room for; only those that can be seen exist. */
export function ServerGrid({ sections, chosen }: ServerGridProps): ReactNode {
  const grid = useRef<HTMLDivElement>(null);
  const { columns, top } = useRoom(grid);
  const all = useMemo(() => sections.flatMap(({ servers }) => servers), [sections]);
  const rows = useGridRows(sections, columns);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current && scrollerOf(grid.current),
    estimateSize: (index) => (rows[index]?.kind === 'title' ? TITLE_HEIGHT : CARD_HEIGHT + GAP),
    overscan: 4,
    scrollMargin: top,
  });
  const show = (index: number): void => {
    const id = all[index]?.id;
    const at = rows.findIndex((row) => row.kind === 'cards' && row.servers.some((each) => each.id === id));
    virtual.scrollToIndex(Math.max(0, at));
  };
  const [first, last] = [virtual.range?.startIndex ?? 0, virtual.range?.endIndex ?? 0];
  const inSight = useMemo(
    () => rows.slice(first, last + 1).flatMap((row) => (row.kind === 'cards' ? row.servers : [])),
    [rows, first, last],
  );
  useTokenCounts(inSight);
  const days = useDays();
  useCardKeys({ grid, ids: all.map(({ id }) => id), show });
  useEffect(() => virtual.measure(), [virtual, columns, rows]);
  return (
    <div ref={grid} className={styles['grid']} style={{ height: virtual.getTotalSize() }} role="list">
      {virtual.getVirtualItems().flatMap(({ index, start }) => {
        const row = rows[index];
        const transform = `translateY(${start - top}px)`;
        if (row?.kind === 'title') {
          return (
            <div key={row.title} role="listitem" className={styles['title']} style={{ transform }}>
              <h2>
                {row.title} <span className={styles['count']}>{row.count}</span>
              </h2>
            </div>
          );
        }
        return (row?.servers ?? []).map((server, column) => (
          // Each card by itself and not in a row: with another number of columns it stays the same
          // card, and keeps the focus.
          <div
            key={server.id}
            role="listitem"
            className={styles['cell']}
            style={{
              width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
              left: `calc(${column} * (100% + ${GAP}px) / ${columns})`,
              transform,
            }}
          >
            <ServerCard server={server} chosen={server.id === chosen} day={days.get(server.id)} />
          </div>
        ));
      })}
    </div>
  );
}

const CARD_HEIGHT = 160;
const TITLE_HEIGHT = 36;
const GAP = 12;
const CARD_WIDTH_MIN = 300;

interface Room {
  readonly columns: number;
  /** How far below the beginning of what scrolls the grid begins. */
  readonly top: number;
}

function useRoom(grid: { readonly current: HTMLDivElement | null }): Room {
  const [room, setRoom] = useState<Room>({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return undefined;
    const measure = (): void => {
      const columns = Math.max(1, Math.floor((element.clientWidth + GAP) / (CARD_WIDTH_MIN + GAP)));
      const top = topWithin(scrollerOf(element), element);
      setRoom((before) => (before.columns === columns && before.top === top ? before : { columns, top }));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [grid]);
  return room;
}
