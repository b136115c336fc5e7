import { useState, type ReactNode } from 'react';
import { AddPlace } from '../add/add-place.tsx';
import { Catalog } from '../add/catalog.tsx';
import { useHub } from '../hub/hub-context.tsx';
import { useServers } from '../hub/queries.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Conversation } from './conversation.tsx';
import { NewConversation } from './new-conversation.tsx';
import { ServerColumn } from './server-column.tsx';
import { say, useTalk } from './talk.ts';
import { useNarrow } from './use-narrow.ts';
import styles from './setup.module.css';

/** A conversation that sets servers up, beside a catalog and the servers. One after the other on a phone. */
export default function SetupPage(): ReactNode {
  const isNarrow = useNarrow();
  return (
    <AddPlace way="assistant" actions={<NewConversation />}>
      {() => (isNarrow ? <Tabbed /> : <Split />)}
    </AddPlace>
  );
}

function Split(): ReactNode {
  return (
    <div className={styles['split']}>
      <Conversation />
      <Beside />
    </div>
  );
}

/** What can be added, and what is there. */
function Beside(): ReactNode {
  return (
    <div className={styles['beside']}>
      <Offered />
      <ServerColumn />
    </div>
  );
}

/** What is chosen is said in the conversation, which proposes it. */
function Offered({ onChosen }: { readonly onChosen?: () => void }): ReactNode {
  const hub = useHub();
  const { entries } = useTalk();
  const isBusy = entries.some((entry) => entry.kind === 'answer' && entry.state === 'running');
  const choose = (name: string): void => {
    onChosen?.();
    void say(hub, `Connect me to ${name}`);
  };
  return <Catalog busy={isBusy} onAdd={choose} />;
}

function Tabbed(): ReactNode {
  const [tab, setTab] = useState<'talk' | 'catalog' | 'servers'>('talk');
  const { data } = useServers();
  return (
    <div className={styles['tabbed']}>
      <Tabs
        label="Add servers"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'talk', label: 'Conversation', panel: () => <Conversation /> },
          { id: 'catalog', label: 'Catalog', panel: () => <Offered onChosen={() => setTab('talk')} /> },
          { id: 'servers', label: `Servers (${data?.servers.length ?? 0})`, panel: () => <ServerColumn /> },
        ]}
      />
    </div>
  );
}
