import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TrustServer } from '../trust-server.tsx';
import { useAct } from '../use-act.ts';
import styles from './config-tab.module.css';

/** What a person lets a server do beyond its tools. */
export function ServerSwitches({ server }: { readonly server: ServerView }): ReactNode {
  const { act, busy } = useAct([keys.servers, keys.server(server.id)]);
  return (
    <div className={styles['switches']}>
      <div className={styles['switch']}>
        <Switch
          label="Show pages that it brings along"
          shown
          checked={server.apps}
          disabled={busy}
          onChange={(shown) => void act((hub) => hub.servers.setApps({ id: server.id, shown }))}
        />
        <p className={styles['meta']}>
          They are programs of the server that run in a closed frame: they see what its tools answered, and
          may ask you to call its tools. Turn it on for servers that you trust.
        </p>
      </div>
      <div className={styles['switch']}>
        <Switch
          label="Keep the arguments of its calls in Activity"
          shown
          checked={server.recorded !== false}
          disabled={busy}
          onChange={(recorded) => void act((hub) => hub.audit.setRecorded({ server: server.id, recorded }))}
        />
        <p className={styles['meta']}>Off: Activity still says that a tool was called, but not with what.</p>
      </div>
      <TrustLine
        server={server}
        onUntrust={() => void act((hub) => hub.servers.untrust({ id: server.id }))}
      />
    </div>
  );
}

interface TrustLineProps {
  readonly server: ServerView;
  readonly onUntrust: () => void;
}

function TrustLine({ server, onUntrust }: TrustLineProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const trusted = server.trust !== 'none';
  return (
    <div className={styles['switch']}>
      <p>
        {trusted
          ? `You trust ${showHidden(server.name)}${server.trust === 'session' ? ' until the hub stops' : ''}: what only reads runs without asking.`
          : 'You have not said that you trust it: what it does is asked for first.'}
      </p>
      {trusted ? (
        <Button onClick={onUntrust}>Take trust back</Button>
      ) : (
        <Button onClick={() => setAsking(true)}>Trust…</Button>
      )}
      {asking && <TrustServer server={server} onClose={() => setAsking(false)} />}
    </div>
  );
}
