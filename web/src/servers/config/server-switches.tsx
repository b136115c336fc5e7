import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Switch } from '../../parts/switch.tsx';
import TrustServer from '../trust-server.tsx';
import { useAct } from '../use-act.ts';
import styles from './config-tab.module.css';

/** What a person lets a server do beyond its tools. */
export function ServerSwitches({ server }: { readonly server: ServerView }): ReactNode {
  const { act, busy } = useAct([keys.servers, keys.server(server.id)]);
  return (
    <div className={styles['switches']}>
      <div className={styles['switch']}>
        <Switch
          label="Show the server’s own UI"
          shown
          checked={server.apps}
          disabled={busy}
          onChange={(shown) => void act((hub) => hub.servers.setApps({ id: server.id, shown }))}
        />
        <p className={styles['meta']}>
          The UI runs in an isolated frame: it sees results of the server’s tools and can ask to call them.
          Turn it on for servers you trust.
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
        <p className={styles['meta']}>
          Off: Activity shows that a tool was called, but not its arguments and results.
        </p>
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
          ? `You trust ${showHidden(server.name)}${server.trust === 'session' ? ' until the hub stops' : ''}: its read-only tools run without asking.`
          : 'Not trusted: asks before every call.'}
      </p>
      {trusted ? (
        <Button onClick={onUntrust}>Stop trusting</Button>
      ) : (
        <Button onClick={() => setAsking(true)}>Trust…</Button>
      )}
      {asking && <TrustServer server={server} onClose={() => setAsking(false)} />}
    </div>
  );
}
