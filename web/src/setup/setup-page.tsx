import { useState, type ReactNode } from 'react';
import { Page } from '../frame/page.tsx';
import { useServers } from '../hub/queries.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Conversation } from './conversation.tsx';
import { NewConversation } from './new-conversation.tsx';
import { ServerColumn } from './server-column.tsx';
import { useNarrow } from './use-narrow.ts';
import styles from './setup.module.css';

/** A conversation that sets servers up, beside the servers. One after the other on a phone. */
export default function SetupPage(): ReactNode {
  return (
    <Page title="Set up" tall actions={<NewConversation />}>
      {useNarrow() ? <Tabbed /> : <Split />}
    </Page>
  );
}

function Split(): ReactNode {
  return (
    <div className={styles['split']}>
      <Conversation />
      <ServerColumn />
    </div>
  );
}

function Tabbed(): ReactNode {
  const [tab, setTab] = useState<'talk' | 'servers'>('talk');
  const { data } = useServers();
  return (
    <div className={styles['tabbed']}>
      <Tabs
        label="Set up"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'talk', label: 'Conversation', panel: () => <Conversation /> },
          { id: 'servers', label: `Servers (${data?.servers.length ?? 0})`, panel: () => <ServerColumn /> },
        ]}
      />
    </div>
  );
}
