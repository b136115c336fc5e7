import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Page } from '../frame/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Calls } from './calls.tsx';
import { Changes } from './changes.tsx';
import { EventLog } from './event-log.tsx';

type Tab = 'calls' | 'events' | 'changes';

const TABS: readonly Tab[] = ['calls', 'events', 'changes'];

/** What happened: calls with their reasons, and what became of the servers. */
export default function ActivityPage(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find((each) => each === query.get('tab')) ?? 'calls';
  return (
    <Page title="Activity">
      <Tabs<Tab>
        label="Activity"
        value={tab}
        onChange={(next) =>
          setQuery((now) => {
            const then = new URLSearchParams(now);
            then.set('tab', next);
            return then;
          })
        }
        tabs={[
          { id: 'calls', label: 'Calls', panel: () => <Calls /> },
          { id: 'events', label: 'Events', panel: () => <EventLog /> },
          { id: 'changes', label: 'Changes', panel: () => <Changes /> },
        ]}
      />
    </Page>
  );
}
