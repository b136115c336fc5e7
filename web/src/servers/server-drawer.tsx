import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { ownTitle } from '../hub/server-names.ts';
import { Drawer } from '../parts/drawer.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { RepairPanel } from '../repair/repair-panel.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { CheckTab } from './check-tab.tsx';
import { ConfigTab } from './config/config-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { PromptsTab } from './offers/prompts-tab.tsx';
import { ResourcesTab } from './offers/resources-tab.tsx';
import { ServerIcon } from './server-icon.tsx';
import { ServerMenu } from './server-menu.tsx';
import { TrafficTab } from './traffic/traffic-tab.tsx';
import { ToolsTab } from './tools/tools-tab.tsx';
import styles from './server-drawer.module.css';

interface ServerDrawerProps {
  readonly id: string;
  /** Absent when there is no such server, or no longer. */
  readonly server: ServerView | undefined;
  readonly tab: string | undefined;
  readonly onClose: () => void;
}

/** Everything about one server. The address names the server and the tab. */
export default function ServerDrawer({ id, server, tab, onClose }: ServerDrawerProps): ReactNode {
  const [, go] = useLocation();
  if (server === undefined) {
    return (
      <Drawer title={showHidden(id)} label={`Server ${id}`} onClose={onClose}>
        <EmptyState title="Server not found">
          <p>It was removed, or its config file no longer lists it.</p>
        </EmptyState>
      </Drawer>
    );
  }
  const name = showHidden(server.name);
  const title = ownTitle(server);
  const tabs = TABS.filter(({ isThere }) => isThere?.(server) ?? true);
  const at = tabs.find((each) => each.id === tab)?.id ?? 'tools';
  return (
    <Drawer
      label={`Server ${name}`}
      onClose={onClose}
      title={
        <>
          <ServerIcon id={id} name={server.name} hasIcon={server.hasIcon} featured={server.featured} />
          <span className={styles['name']}>{name}</span>
          {title !== undefined && <span className={styles['own']}>{title}</span>}
        </>
      }
    >
      <div className={styles['state']}>
        <StateBadge state={server.state} />
        <span className={styles['doing']}>
          <ServerMenu server={server} />
        </span>
      </div>
      <RepairPanel server={server} tab={at} />
      {server.problems.length > 0 && (
        <ul className={styles['problems']}>
          {server.problems.slice(0, PROBLEMS_SHOWN).map((problem) => (
            <li key={problem}>▲ {showHidden(problem)}</li>
          ))}
        </ul>
      )}
      <Tabs
        label={`About ${name}`}
        value={at}
        onChange={(next) => go(places.server(id, next), { replace: true })}
        tabs={tabs.map((each) => ({ id: each.id, label: each.label, panel: () => each.panel(server) }))}
      />
    </Drawer>
  );
}

const PROBLEMS_SHOWN = 5;

const TABS: readonly {
  readonly id:
    | 'tools'
    | 'resources'
    | 'prompts'
    | 'accounts'
    | 'events'
    | 'config'
    | 'logs'
    | 'traffic'
    | 'check';
  readonly label: string;
  /** Whether this server has it; absent: each has. */
  readonly isThere?: (server: ServerView) => boolean;
  readonly panel: (server: ServerView) => ReactNode;
}[] = [
  { id: 'tools', label: 'Tools', panel: (server) => <ToolsTab server={server} /> },
  {
    id: 'resources',
    label: 'Resources',
    isThere: ({ capabilities }) => capabilities?.['resources'] !== undefined,
    panel: (server) => <ResourcesTab server={server} />,
  },
  {
    id: 'prompts',
    label: 'Prompts',
    isThere: ({ capabilities }) => capabilities?.['prompts'] !== undefined,
    panel: (server) => <PromptsTab server={server} />,
  },
  { id: 'accounts', label: 'Accounts', panel: (server) => <AccountsTab server={server} /> },
  { id: 'events', label: 'Events', panel: (server) => <EventsTab server={server} /> },
  { id: 'config', label: 'Config', panel: (server) => <ConfigTab server={server} /> },
  { id: 'logs', label: 'Logs', panel: (server) => <LogsTab server={server} /> },
  { id: 'traffic', label: 'Traffic', panel: (server) => <TrafficTab server={server} /> },
  { id: 'check', label: 'Check', panel: (server) => <CheckTab server={server} /> },
];
