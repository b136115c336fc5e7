import { useMemo } from 'react';
import type { ServerView } from '../hub/hub-context.tsx';
import type { Section } from './order.ts';

export type GridRow =
  | { readonly kind: 'title'; readonly title: string; readonly count: number }
  | { readonly kind: 'cards'; readonly servers: readonly ServerView[] };

/** The rows of the grid: the title of each section, and its cards. */
export function useGridRows(sections: readonly Section[], columns: number): readonly GridRow[] {
  return useMemo(
    () =>
      sections.flatMap(({ title, servers }): readonly GridRow[] => {
        const cards = Array.from({ length: Math.ceil(servers.length / columns) }, (_, row): GridRow => ({
          kind: 'cards',
          servers: servers.slice(row * columns, (row + 1) * columns),
        }));
        return title === undefined ? cards : [{ kind: 'title', title, count: servers.length }, ...cards];
      }),
    [sections, columns],
  );
}
