import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useServers } from '../hub/queries.ts';
import type { ServerView } from '../hub/hub-context.tsx';

interface MentionOptions {
  readonly text: string;
  readonly box: { readonly current: HTMLTextAreaElement | null };
  readonly chosen: readonly string[];
  /** With the text that is left without the mention. */
  readonly onPick: (server: string, rest: string) => void;
}

export interface MentionList {
  readonly id: string;
  readonly servers: readonly ServerView[];
  readonly active: number;
  readonly onPick: (server: string) => void;
}

interface Mention {
  readonly shown: boolean;
  readonly list: MentionList;
  readonly aria: object;
  readonly open: () => void;
  readonly close: () => void;
  /** Whether the key belonged to the list. */
  readonly press: (event: KeyboardEvent) => boolean;
}

/** `@` and the beginning of a name before the caret: which servers are meant, and how one is picked. */
export function useMention({ text, box, chosen, onPick }: MentionOptions): Mention {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { data } = useServers();
  const caret = box.current?.selectionStart ?? text.length;
  const begun = isOpen ? MENTION.exec(text.slice(0, Math.max(caret, 0))) : null;
  const wanted = begun?.[1]?.toLowerCase();
  const servers = useMemo(
    () => (wanted === undefined ? [] : matching(data?.servers ?? [], wanted, chosen)),
    [data, wanted, chosen],
  );
  const shown = begun !== null && servers.length > 0;
  const at = Math.min(active, servers.length - 1);
  const pick = (server: string): void => {
    const start = begun ? caret - (begun[1]?.length ?? 0) - 1 : caret;
    onPick(server, text.slice(0, start) + text.slice(caret));
    setOpen(false);
    setActive(0);
    box.current?.focus();
  };
  const press = (event: KeyboardEvent): boolean => {
    if (!shown) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const picked = servers[at];
    if (step !== undefined) setActive((at + step + servers.length) % servers.length);
    else if (event.key === 'Escape') setOpen(false);
    else if ((event.key === 'Enter' || event.key === 'Tab') && picked) pick(picked.id);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    shown,
    list: { id, servers, active: at, onPick: pick },
    aria: {
      'aria-autocomplete': 'list',
      ...(shown ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${at}` } : {}),
    },
    open: () => {
      setOpen(true);
      setActive(0);
    },
    close: () => setOpen(false),
    press,
  };
}

const MENTION = /(?:^|\s)@([\w.-]{0,64})$/;
const SHOWN_MAX = 50;

function matching(
  servers: readonly ServerView[],
  wanted: string,
  chosen: readonly string[],
): readonly ServerView[] {
  const fit = ({ id, name, enabled }: ServerView): boolean =>
    enabled && !chosen.includes(id) && `${id} ${name}`.toLowerCase().includes(wanted);
  const found: ServerView[] = [];
  for (const server of servers) {
    if (fit(server)) found.push(server);
    if (found.length === SHOWN_MAX) break;
  }
  return found;
}
