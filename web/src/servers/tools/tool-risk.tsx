import type { ReactNode } from 'react';
import { keys } from '../../hub/queries.ts';
import { Select } from '../../parts/select.tsx';
import { useAct } from '../use-act.ts';
import type { AuditedTool } from './tool-list.ts';
import styles from './tool-details.module.css';

type Risk = AuditedTool['risk'];

/** What the tool may do: what we think, or what the person says. */
export function ToolRisk({ tool }: { readonly tool: AuditedTool }): ReactNode {
  const { act, busy } = useAct([keys.tools(tool.server), keys.servers]);
  const own = tool.riskFrom === 'override';
  return (
    <div className={styles['setting']}>
      <span>
        Risk <span className={styles['meta']}>{FROM[tool.riskFrom]}</span>
      </span>
      <Select
        label={`Risk of ${tool.name}`}
        value={own ? tool.risk : 'told'}
        disabled={busy}
        choices={[
          { value: 'told', label: own ? 'Auto' : `Auto: ${WORDS[tool.risk]}` },
          ...RISKS.map((risk) => ({ value: risk, label: `Always: ${WORDS[risk]}` })),
        ]}
        onChange={(next) =>
          void act((hub) => hub.tools.setRisk({ ref: tool.ref, ...(next === 'told' ? {} : { risk: next }) }))
        }
      />
    </div>
  );
}

const RISKS: readonly Risk[] = ['read', 'write', 'destructive', 'unknown'];

const WORDS: Readonly<Record<Risk, string>> = {
  read: 'read-only',
  write: 'writes data',
  destructive: 'destructive',
  unknown: 'unknown',
};

const FROM: Readonly<Record<AuditedTool['riskFrom'], string>> = {
  name: 'from its name',
  definition: 'from its description',
  annotations: 'as its server says',
  override: 'as you said',
  nothing: 'nothing tells it',
};
