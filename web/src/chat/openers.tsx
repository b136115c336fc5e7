import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHub, type ServerView } from '../hub/hub-context.tsx';
import { keys, useServers } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { toolsToTry } from '../servers/tools/tools-to-try.ts';
import styles from './chat-page.module.css';

const SERVERS_MAX = 4;
/** Listing the tools of a larger one takes longer than anybody looks at an empty chat. */
const TOOLS_MAX = 300;

/** What could be asked of the servers that are connected: one thing each, put into the box and not sent. */
export function Openers({ onCompose }: { readonly onCompose: (text: string) => void }): ReactNode {
  const hub = useHub();
  const { data } = useServers();
  const servers = (data?.servers ?? []).filter(isUsable).slice(0, SERVERS_MAX);
  const audits = useQueries({
    queries: servers.map(({ id }) => ({
      queryKey: keys.tools(id),
      queryFn: () => hub.tools.audit({ server: id }),
    })),
  });
  const openers = servers.flatMap(({ id, name }, at) => {
    const [tool] = toolsToTry(audits[at]?.data);
    return tool === undefined ? [] : [{ id, text: `${asWords(tool.name)} with ${showHidden(name)}` }];
  });
  if (openers.length === 0) return null;
  return (
    <ul className={styles['openers']} aria-label="Things to ask">
      {openers.map(({ id, text }) => (
        <li key={id}>
          <Button onClick={() => onCompose(`${text}: `)}>{text}</Button>
        </li>
      ))}
    </ul>
  );
}

function isUsable({ enabled, toolsOffered, toolCount, state }: ServerView): boolean {
  return enabled && toolsOffered > 0 && toolCount <= TOOLS_MAX && state.kind !== 'failed';
}

/** `list_directory` and `listDirectory` as “List directory”. */
function asWords(name: string): string {
  const words = showHidden(name)
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[_\-./]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
