import type { ReactNode } from 'react';
import { keys } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { counted } from '../../parts/words.ts';
import { useAct } from '../use-act.ts';
import type { ListedTool } from './tool-list.ts';
import styles from './changed-tools.module.css';

interface ChangedToolsProps {
  readonly tools: readonly ListedTool[];
  readonly server: string;
}

/** How many wait, and how they get on when somebody has looked at all of them. */
export function ChangedTools({ tools, server }: ChangedToolsProps): ReactNode {
  const changed = tools.flatMap(({ withheld }) => (withheld?.cause === 'changed' ? [withheld] : []));
  const { act, busy } = useAct([keys.tools(server), keys.servers]);
  const approve = (): Promise<void> =>
    act(async (hub) => {
      for (const { ref, hash } of changed)
        await hub.tools.approve({ ref, ...(hash === undefined ? {} : { hash }) });
    }, `${changed.length} tools are approved.`);
  if (changed.length === 0) return null;
  const all = changed.length > 1 && changed.length <= AT_ONCE;
  return (
    <section className={styles['changed']} aria-label="Changed tools">
      <p>
        ▲ {counted(changed.length, 'tool')} changed since {changed.length === 1 ? 'it was' : 'they were'}{' '}
        approved. {changed.length === 1 ? 'It' : 'They'} can’t be called until you review{' '}
        {changed.length === 1 ? 'it' : 'them'}.
      </p>
      {all && (
        <Button busy={busy} onClick={() => void approve()}>
          Approve all {changed.length}
        </Button>
      )}
    </section>
  );
}

/** More than that nobody reads in one sitting: each is then approved by itself. */
const AT_ONCE = 5;
