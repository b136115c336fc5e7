import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { IconButton } from '../parts/button.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { isOurs } from './kept-here.ts';
import { useServerActions } from './use-server-actions.ts';

const DeleteServer = lazy(() => import('./delete-server.tsx'));

/** A card is drawn often and its menu opened seldom: until then there is only its button. */
export function ServerMenu({ server }: { readonly server: ServerView }): ReactNode {
  const [wanted, setWanted] = useState(false);
  if (wanted) return <OpenedMenu server={server} />;
  return (
    <IconButton
      label={`Actions for ${showHidden(server.name)}`}
      icon="more"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    />
  );
}

/** Everything else that can be done with a server. */
function OpenedMenu({ server }: { readonly server: ServerView }): ReactNode {
  const actions = useServerActions();
  const [, go] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const { id, name, state, enabled } = server;
  const lives = state.kind === 'ready' || state.kind === 'degraded' || state.kind === 'starting';
  const items: readonly MenuItem[] = [
    {
      label: 'Test',
      icon: 'pulse',
      onChoose: () => go(`${places.server(id, 'check')}?live`),
      disabled: !enabled,
    },
    { label: 'Edit', icon: 'edit', onChoose: () => go(`${places.server(id, 'config')}?edit`) },
    { label: 'Restart', icon: 'retry', onChoose: () => void actions.restart(id), disabled: !enabled },
    { label: 'Stop', icon: 'stop', onChoose: () => void actions.stop(id), disabled: !lives },
    enabled
      ? { label: 'Turn off', icon: 'close', onChoose: () => void actions.setEnabled(id, false) }
      : {
          label: 'Turn on',
          icon: 'check',
          onChoose: () => void actions.setEnabled(id, true),
          disabled: server.untrusted !== undefined,
        },
    {
      label: 'Remove…',
      icon: 'trash',
      danger: true,
      onChoose: () => setDeleting(true),
      disabled: !isOurs(server),
    },
  ];
  return (
    <>
      <Menu label={`Actions for ${showHidden(name)}`} items={items} openAtFirst />
      {deleting && (
        <Suspense>
          <DeleteServer server={server} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </>
  );
}
