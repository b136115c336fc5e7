import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import type { ServerView } from '../../hub/hub-context.tsx';
import { scrollerOf, topWithin } from '../scroller.ts';
import type { ListedTool } from './tool-list.ts';
import { ToolRow } from './tool-row.tsx';
import type { ToolUse, ToolUses } from './use-tool-use.ts';
import styles from './tool-rows.module.css';

interface ToolRowsProps {
  readonly tools: readonly ListedTool[];
  readonly server: ServerView;
  readonly uses: ToolUses | undefined;
  /** Instead of what a tool does: this is for deciding which ones to keep. */
  readonly showUse: boolean;
  /** Undefined unless somebody is selecting. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** Ten thousand tools scroll like ten: only the rows that can be seen exist. */
export function ToolRows(props: ToolRowsProps): ReactNode {
  const { tools, server, uses, showUse, selected, onSelect } = props;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const address = new URLSearchParams(useSearch());
  const tried = address.get('try') ?? undefined;
  const asked = tried ?? address.get('open') ?? undefined;
  const wanted = asked === undefined ? undefined : `${server.id}/${asked}`;
  const firstChanged = tools[0]?.withheld?.cause === 'changed' ? tools[0].ref : undefined;
  const [open, setOpen] = useState<string | undefined>(wanted ?? firstChanged);
  const toggle = useCallback((ref: string) => setOpen((before) => (before === ref ? undefined : ref)), []);
  useLayoutEffect(() => {
    if (list.current) setTop(topWithin(scrollerOf(list.current), list.current));
  }, [tools.length]);
  const rows = useVirtualizer({
    count: tools.length,
    getScrollElement: () => list.current && scrollerOf(list.current),
    getItemKey: (index) => tools[index]?.ref ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: top,
  });
  // Whoever comes to review one tool sees it, wherever it stands in the list.
  useEffect(() => {
    const at = tools.findIndex(({ ref }) => ref === wanted);
    if (wanted === undefined || at < 0) return;
    setOpen(wanted);
    rows.scrollToIndex(at);
  }, [wanted]); // eslint-disable-line react/exhaustive-deps
  return (
    <ul ref={list} className={styles['rows']} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map((row) => {
        const listed = tools[row.index];
        if (listed === undefined) return null;
        return (
          <li
            key={row.key}
            ref={rows.measureElement}
            data-index={row.index}
            className={styles['row']}
            style={{ transform: `translateY(${row.start - top}px)` }}
            aria-setsize={tools.length}
            aria-posinset={row.index + 1}
          >
            <ToolRow
              listed={listed}
              server={server}
              open={open === listed.ref}
              isTried={tried !== undefined && listed.ref === wanted}
              onToggle={toggle}
              use={uses && (uses.get(listed.name) ?? NEVER)}
              showUse={showUse}
              selected={
                selected && {
                  is: selected.has(listed.ref),
                  toggle: () => onSelect(toggled(selected, listed.ref)),
                }
              }
            />
          </li>
        );
      })}
    </ul>
  );
}

const ROW_HEIGHT = 58;
const NEVER: ToolUse = { calls: 0, lastAt: 0 };

function toggled(selected: ReadonlySet<string>, ref: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(ref)) next.add(ref);
  return next;
}
