import type { ReactNode } from 'react';
import { keys, useHubQuery } from '../../hub/queries.ts';
import { Select } from '../../parts/select.tsx';
import { useAct } from '../use-act.ts';
import type { AuditedTool } from './tool-list.ts';
import styles from './tool-details.module.css';

/** What happens when somebody calls it, and the person's standing word about it: a grant. */
export function ToolPermission({ tool }: { readonly tool: AuditedTool }): ReactNode {
  const { data: grants = [] } = useHubQuery([...keys.grants, tool.server], (hub) =>
    hub.grants.list({ server: tool.server }),
  );
  const own = grants.filter(
    ({ scope, stale }) => stale === undefined && scope.kind === 'tool' && scope.tool === tool.name,
  );
  const { act, busy } = useAct([keys.grants, keys.tools(tool.server)]);
  const choose = (choice: 'usual' | 'allow'): Promise<void> =>
    act(async (hub) => {
      if (choice === 'allow') await hub.grants.add({ tool: tool.ref });
      else for (const { id } of own) await hub.grants.revoke({ id });
    });
  return (
    <div className={styles['setting']}>
      <span>
        When called <span className={styles['meta']}>{CONFIRM[tool.confirm]}</span>
      </span>
      <Select
        label={`When ${tool.name} is called`}
        value={own.length > 0 ? 'allow' : 'usual'}
        disabled={busy}
        choices={[
          {
            value: 'usual',
            label: own.length > 0 ? 'As your rules decide' : `Your rules: ${SHORT[tool.confirm]}`,
          },
          { value: 'allow', label: 'Always allow' },
        ]}
        onChange={(choice) => void choose(choice)}
      />
    </div>
  );
}

const CONFIRM: Readonly<Record<AuditedTool['confirm'], string>> = {
  allow: 'it runs without asking',
  ask: 'you are asked first',
  deny: 'it is refused',
};

const SHORT: Readonly<Record<AuditedTool['confirm'], string>> = { allow: 'run', ask: 'ask', deny: 'refuse' };
