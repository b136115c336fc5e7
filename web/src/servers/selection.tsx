import { createContext, use, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import styles from './selection.module.css';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly change: (ids: ReadonlySet<string>) => void;
}

/** Absent unless somebody is selecting. */
const SelectionContext = createContext<Selection | undefined>(undefined);

export const SelectionProvider = SelectionContext.Provider;

/** The box by which a card is selected, while somebody selects. */
export function SelectServer({ server: { id, name } }: { readonly server: ServerView }): ReactNode {
  const selection = use(SelectionContext);
  if (!selection) return null;
  const { ids, change } = selection;
  const toggle = (): void => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    change(next);
  };
  return (
    <input
      type="checkbox"
      className={styles['box']}
      aria-label={`Select ${showHidden(name)}`}
      checked={ids.has(id)}
      onChange={toggle}
    />
  );
}
