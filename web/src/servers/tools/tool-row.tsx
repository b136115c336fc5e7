import { memo, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubAction } from '../../hub/queries.ts';
import { Chip } from '../../parts/chip.tsx';
import { RiskChip } from '../../parts/risk-chip.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { ToolDetails } from './tool-details.tsx';
import type { ListedTool } from './tool-list.ts';
import styles from './tool-row.module.css';

interface ToolRowProps {
  readonly listed: ListedTool;
  readonly server: ServerView;
  readonly open: boolean;
  readonly onToggle: (ref: string) => void;
}

/** One tool: its name, what it may do, whether it is on; unfolds to everything else. */
export const ToolRow: (props: ToolRowProps) => ReactNode = memo(function ToolRow({
  listed,
  server,
  open,
  onToggle,
}: ToolRowProps): ReactNode {
  const { ref, tool, withheld } = listed;
  const name = showHidden(listed.name);
  return (
    <>
      <div className={styles['head']}>
        <button
          type="button"
          className={styles['name']}
          aria-expanded={open}
          data-withheld={withheld !== undefined || undefined}
          onClick={() => onToggle(ref)}
        >
          <span className={styles['title']}>{name}</span>
          <span className={styles['about']}>{about(listed)}</span>
        </button>
        <span className={styles['chips']}>
          {withheld?.cause === 'changed' && <Chip tone="warn">▲ changed</Chip>}
          {tool && tool.flags.length > 0 && <Chip tone="bad">▲ flagged</Chip>}
          {tool && <RiskChip risk={tool.risk} />}
        </span>
        {tool && <OnOff toolRef={ref} name={name} enabled={tool.enabled} server={server.id} />}
      </div>
      {open && <ToolDetails listed={listed} server={server} />}
    </>
  );
});

interface OnOffProps {
  readonly toolRef: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly server: string;
}

function OnOff({ toolRef, name, enabled, server }: OnOffProps): ReactNode {
  const toast = useToast();
  const set = useHubAction(
    (hub, on: boolean) => hub.tools.setEnabled({ ref: toolRef, enabled: on }),
    [keys.tools(server), keys.servers],
  );
  return (
    <Switch
      label={`${name} is on`}
      checked={set.isPending ? set.variables : enabled}
      onChange={(on) => set.mutate(on, { onError: (error) => toast.bad(error) })}
    />
  );
}

/** Why it is not offered, else the first line of its description. */
function about({ tool, withheld }: ListedTool): string {
  if (withheld) return showHidden(withheld.reason);
  const [line = ''] = (tool?.description ?? tool?.title ?? '').trim().split('\n', 1);
  return showHidden(line.slice(0, ABOUT_CHARS));
}

const ABOUT_CHARS = 160;
