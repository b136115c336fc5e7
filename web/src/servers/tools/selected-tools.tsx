import type { ReactNode } from 'react';
import { toPlugError } from '../../../../src/base/errors.ts';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { useHub } from '../../hub/hub-context.tsx';
import { keys, useHubAction } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { TokenMeter } from '../../parts/token-meter.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { counted } from '../../parts/words.ts';
import type { ListedTool } from './tool-list.ts';
import styles from '../selection.module.css';

interface SelectedToolsProps {
  readonly server: string;
  readonly selected: readonly ListedTool[];
  /** Undefined while nothing is known of their use. */
  readonly onSelectUnused: (() => void) | undefined;
  readonly onSelectAll: () => void;
  readonly onEnd: () => void;
}

/** What can be done with several tools at once, and what a model would be spared. */
export function SelectedTools(props: SelectedToolsProps): ReactNode {
  const { server, selected, onSelectUnused, onSelectAll, onEnd } = props;
  const { set, busy } = useSetMany(server);
  const on = selected.filter(({ tool }) => tool?.enabled === true);
  const off = selected.filter(({ tool }) => tool?.enabled === false);
  const tokens = on.reduce((total, { tool }) => total + (tool?.tokens ?? 0), 0);
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Selected tools">
      <p role="status">
        {selected.length} selected · <TokenMeter tokens={tokens} />
      </p>
      {onSelectUnused && (
        <Button look="quiet" onClick={onSelectUnused}>
          Never used
        </Button>
      )}
      <Button look="quiet" onClick={onSelectAll}>
        All
      </Button>
      <Button disabled={on.length === 0} busy={busy} onClick={() => void set(on, false)}>
        Turn off
      </Button>
      <Button disabled={off.length === 0} busy={busy} onClick={() => void set(off, true)}>
        Turn on
      </Button>
      <Button onClick={onEnd}>Done</Button>
    </div>
  );
}

interface SetMany {
  readonly set: (tools: readonly ListedTool[], enabled: boolean) => Promise<void>;
  readonly busy: boolean;
}

/** One after the other; what fails doesn't stop the rest, and what was done can be undone. */
function useSetMany(server: string): SetMany {
  const hub = useHub();
  const toast = useToast();
  const { mutateAsync, isPending } = useHubAction(
    (_, work: () => Promise<void>) => work(),
    [keys.tools(server), keys.servers],
  );
  const set: SetMany['set'] = (tools, enabled) =>
    mutateAsync(async () => {
      const failed: string[] = [];
      const done: ListedTool[] = [];
      for (const tool of tools) {
        try {
          await hub.tools.setEnabled({ ref: tool.ref, enabled });
          done.push(tool);
        } catch (error) {
          failed.push(`${tool.name}: ${toPlugError(error).message}`);
        }
      }
      const undo = { label: 'Undo', onClick: () => void set(done, !enabled) };
      const title = `${counted(done.length, 'tool')} turned ${enabled ? 'on' : 'off'}`;
      toast.info(title, failed.map(showHidden).join(' ') || undefined, done.length === 0 ? undefined : undo);
    });
  return { set, busy: isPending };
}
