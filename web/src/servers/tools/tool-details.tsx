import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { Button } from '../../parts/button.tsx';
import { CutText } from '../../parts/cut-text.tsx';
import { Fold } from '../../parts/fold.tsx';
import { TokenMeter } from '../../parts/token-meter.tsx';
import { ToolPermission } from './tool-permission.tsx';
import { ToolRisk } from './tool-risk.tsx';
import { ABOUT_CHARS, type AuditedTool, type ListedTool } from './tool-list.ts';

import { TryTool } from './try-tool.tsx';
import { Withheld } from './withheld.tsx';
import { wordsOfUse, type ToolUse } from './use-tool-use.ts';
import styles from './tool-details.module.css';

interface ToolDetailsProps {
  readonly listed: ListedTool;
  readonly server: ServerView;
  /** Its form is open from the beginning. */
  readonly isTried: boolean;
  /** Undefined until it is known. */
  readonly use: ToolUse | undefined;
}

/** Everything about one tool, and trying it out. */
export function ToolDetails({ listed, server, isTried, use }: ToolDetailsProps): ReactNode {
  const { tool, withheld } = listed;
  const [trying, setTrying] = useState(isTried);
  const callable = tool !== undefined && withheld === undefined && server.enabled;
  return (
    <div className={styles['details']}>
      {withheld && <Withheld withheld={withheld} server={server} />}
      {tool && tool.flags.length > 0 && <Flags tool={tool} />}
      {tool && <About tool={tool} />}
      {tool && (
        <div className={styles['settings']}>
          <ToolRisk tool={tool} />
          <ToolPermission tool={tool} />
          <p className={styles['meta']}>
            {tool.pinned
              ? 'Pinned: you approved it as it is now.'
              : 'Not pinned yet: its current definition isn’t approved.'}{' '}
            {use && `${wordsOfUse(use, Date.now())}. `}
            <TokenMeter tokens={tool.tokens} />.
          </p>
        </div>
      )}
      {callable &&
        (trying ? (
          <TryTool tool={tool} />
        ) : (
          <Button icon="send" onClick={() => setTrying(true)}>
            Try it
          </Button>
        ))}
    </div>
  );
}

function Flags({ tool }: { readonly tool: AuditedTool }): ReactNode {
  return (
    <ul className={styles['flags']} aria-label="Warnings">
      {tool.flags.map(({ kind, field, detail }) => (
        <li key={`${kind} ${field} ${detail}`}>▲ {showHidden(detail)}</li>
      ))}
    </ul>
  );
}

function About({ tool }: { readonly tool: AuditedTool }): ReactNode {
  const schema = tool.schema ?? tool.definition['inputSchema'];
  return (
    <>
      {tool.description !== undefined && tool.description.length > SHORT_CHARS && (
        <CutText text={showHidden(tool.description)} />
      )}
      {tool.description !== undefined &&
        tool.description.length <= SHORT_CHARS &&
        !isInRow(tool.description) && <p className={styles['about']}>{showHidden(tool.description)}</p>}
      {tool.repairs?.map((repair) => (
        <p key={repair} className={styles['meta']}>
          Mended: {showHidden(repair)}
        </p>
      ))}
      <Fold label="Parameters">
        <CutText text={showHidden(JSON.stringify(schema, undefined, 2) ?? '')} />
      </Fold>
    </>
  );
}

const SHORT_CHARS = 600;

/** The row above says all of it. */
function isInRow(description: string): boolean {
  return description.length <= ABOUT_CHARS && !description.trim().includes('\n');
}
