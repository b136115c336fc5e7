import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { places } from '../../frame/places.ts';
import type { WithheldTool } from '../../../../src/catalog/tool.ts';
import type { Hub, ServerView } from '../../hub/hub-context.tsx';
import { keys } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { FieldChanges } from '../field-changes.tsx';
import { useAct } from '../use-act.ts';
import styles from './tool-details.module.css';

interface WithheldProps {
  readonly withheld: WithheldTool;
  readonly server: ServerView;
}

/** Why nobody is offered this tool, and the button that changes it. */
export function Withheld({ withheld, server }: WithheldProps): ReactNode {
  const { ref, cause, diff, hash } = withheld;
  const { act, busy } = useAct([keys.tools(server.id), keys.servers]);
  const button = (label: string, said: string, does: (hub: Hub) => Promise<unknown>): ReactNode => (
    <Button look="primary" busy={busy} onClick={() => void act(does, said)}>
      {label}
    </Button>
  );
  return (
    <div className={styles['wide']}>
      <p>{showHidden(withheld.reason)}</p>
      {cause === 'changed' && (
        <>
          <FieldChanges changes={diff ?? []} />
          <div className={styles['foot']}>
            <span className={styles['meta']} title={hash}>
              Approves exactly <code>{hash?.slice(0, 12)}</code>
            </span>
            {button('Approve', `${ref} is approved as it is now.`, (hub) =>
              hub.tools.approve({ ref, ...(hash === undefined ? {} : { hash }) }),
            )}
          </div>
        </>
      )}
      {cause === 'switched_off' &&
        button('Turn on', `${ref} is on.`, (hub) => hub.tools.setEnabled({ ref, enabled: true }))}
      {cause === 'read_only' && !server.readOnly && (
        <Link href={`${places.settings}/read-only`}>Read-only mode</Link>
      )}
      {cause === 'read_only' &&
        server.readOnly &&
        button('Turn read-only off', `${server.name} may write again.`, (hub) =>
          hub.servers.setReadOnly({ id: server.id, readOnly: false }),
        )}
      {cause === 'filtered' && <Link href={places.server(server.id, 'config')}>See its filter</Link>}
    </div>
  );
}
