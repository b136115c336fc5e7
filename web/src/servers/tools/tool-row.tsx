import { memo, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubAction } from '../../hub/queries.ts';
import { Chip } from '../../parts/chip.tsx';
import { RiskChip } from '../../parts/risk-chip.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { shortNumber } from '../../parts/words.ts';
import { ToolDetails } from './tool-details.tsx';
import { ABOUT_CHARS, type ListedTool } from './tool-list.ts';
import { wordsOfUse, type ToolUse } from './use-tool-use.ts';
import selection from '../selection.module.css';
import styles from './tool-row.module.css';

interface ToolRowProps {
  readonly listed: ListedTool;
  readonly server: ServerView;
  readonly open: boolean;
  /** It opens with its form. */
  readonly isTried: boolean;
  readonly onToggle: (ref: string) => void;
  /** Undefined until it is known. */
  readonly use: ToolUse | undefined;
  readonly showUse: boolean;
  /** Present while somebody selects. */
  readonly selected: { readonly is: boolean; readonly toggle: () => void } | undefined;
}

/** One tool: its name, what it may do, whether it is on; unfolds to everything else. */
export const ToolRow: (props: ToolRowProps) => ReactNode = memo(function ToolRow({
  listed,
  server,
  open,
  isTried,
  onToggle,
  use,
  showUse,
  selected,
}: ToolRowProps): ReactNode {
  const { ref, tool, withheld } = listed;
  const name = showHidden(listed.name);
  return (
    <>
      <div className={styles['head']}>
        {selected && tool && (
          <input
            type="checkbox"
            className={selection['box']}
            aria-label={`Select ${name}`}
            checked={selected.is}
            onChange={selected.toggle}
          />
        )}
        <button
          type="button"
          className={styles['name']}
          aria-expanded={open}
          data-withheld={withheld !== undefined || undefined}
          onClick={() => onToggle(ref)}
        >
          <span className={styles['title']}>{name}</span>
          <span className={styles['about']}>
            {showUse && tool ? costWords(tool.tokens, use) : about(listed)}
          </span>
        </button>
        <span className={styles['chips']}>
          {withheld?.cause === 'changed' && <Chip tone="warn">▲ changed</Chip>}
          {tool && tool.flags.length > 0 && <Chip tone="bad">▲ flagged</Chip>}
          {tool && <RiskChip risk={tool.risk} />}
        </span>
        {tool && <OnOff toolRef={ref} name={name} enabled={tool.enabled} server={server.id} />}
      </div>
      {open && <ToolDetails listed={listed} server={server} isTried={isTried} use={use} />}
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

/** “Never used · 340 tokens”. */
function costWords(tokens: number | undefined, use: ToolUse | undefined): string {
  const cost = tokens === undefined ? 'not counted' : `${shortNumber(tokens)} tokens`;
  return use === undefined ? cost : `${wordsOfUse(use, Date.now())} · ${cost}`;
}

/** Why it is not offered, else the first line of its description. */
function about({ tool, withheld }: ListedTool): string {
  if (withheld) return showHidden(withheld.reason);
  const [line = ''] = (tool?.description ?? tool?.title ?? '').trim().split('\n', 1);
  return showHidden(line.slice(0, ABOUT_CHARS));
}
