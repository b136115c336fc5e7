import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { ServerView } from '../hub/hub-context.tsx';
import { scrollerOf, topWithin } from './scroller.ts';
import { ServerCard } from './server-card.tsx';
import { useTokenCounts } from './use-token-counts.ts';
import { useCardKeys } from './use-card-keys.ts';
import styles from './server-grid.module.css';

interface ServerGridProps {
  readonly servers: readonly ServerView[];
  /** Whose drawer is open. */
  readonly chosen: string | undefined;
}

/** Cards in as many columns as there is room for; only those that can be seen exist. */
export function ServerGrid({ servers, chosen }: ServerGridProps): ReactNode {
  const grid = useRef<HTMLDivElement>(null);
  const { columns, top } = useRoom(grid);
  const rows = useVirtualizer({
    count: Math.ceil(servers.length / columns),
    getScrollElement: () => grid.current && scrollerOf(grid.current),
    estimateSize: () => CARD_HEIGHT + GAP,
    overscan: 4,
    scrollMargin: top,
  });
  const show = (index: number): void => rows.scrollToIndex(Math.floor(index / columns));
  const [first, last] = [rows.range?.startIndex ?? 0, rows.range?.endIndex ?? 0];
  const inSight = useMemo(
    () => servers.slice(first * columns, (last + 1) * columns),
    [servers, first, last, columns],
  );
  useTokenCounts(inSight);
  useCardKeys({ grid, ids: servers.map(({ id }) => id), show });
  useEffect(() => rows.measure(), [rows, columns]);
  return (
    <div ref={grid} className={styles['grid']} style={{ height: rows.getTotalSize() }} role="list">
      {rows.getVirtualItems().flatMap((row) =>
        servers.slice(row.index * columns, (row.index + 1) * columns).map((server, column) => (
          // Each card by itself and not in a row: with another number of columns it stays the same
          // card, and keeps the focus.
          <div
            key={server.id}
            role="listitem"
            className={styles['cell']}
            style={{
              width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
              left: `calc(${column} * (100% + ${GAP}px) / ${columns})`,
              transform: `translateY(${row.start - top}px)`,
            }}
          >
            <ServerCard server={server} chosen={server.id === chosen} />
          </div>
        )),
      )}
    </div>
  );
}

const CARD_HEIGHT = 136;
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
