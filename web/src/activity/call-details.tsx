import { sizeInWords } from '../../../src/base/size-in-words.ts';
import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { AuditRecord } from '../hub/hub-context.tsx';
import { CutText } from '../parts/cut-text.tsx';
import { RiskChip } from '../parts/risk-chip.tsx';
import { counted, duration } from '../parts/words.ts';
import { RecentResult } from './recent-result.tsx';
import { StoredResult } from './stored-result.tsx';
import { approvalWords, decisionWords, requesterWords } from './call-words.ts';
import styles from './activity.module.css';

/** Who asked for what, why it was allowed or not, and what came back. */
export function CallDetails({ call }: { readonly call: AuditRecord }): ReactNode {
  const { error, account, approval, retries, resultBytes, resultId } = call;
  return (
    <div className={styles['details']}>
      {error && <p className={styles['wrong']}>✖ {showHidden(error.message)}</p>}
      <dl>
        <Fact name="Asked by">{requesterWords(call)}</Fact>
        {account !== undefined && <Fact name="Account">{showHidden(account)}</Fact>}
        <Fact name="Risk">
          <RiskChip risk={call.risk} />
        </Fact>
        <Fact name="Decision">{decisionWords(call)}</Fact>
        {approval && <Fact name="Approval">{approvalWords(approval)}</Fact>}
        {retries !== undefined && <Fact name="Tried again">{counted(retries, 'time')}</Fact>}
        <Fact name="When">{new Date(call.at).toLocaleString()}</Fact>
        <Fact name="Ran">{duration(call.durationMs)}</Fact>
        {call.waitedMs !== undefined && <Fact name="Waited for an answer">{duration(call.waitedMs)}</Fact>}
        <Fact name="Size">
          {sizeInWords(call.argsBytes)} sent
          {resultBytes === undefined ? '' : `, ${sizeInWords(resultBytes)} came back`}
        </Fact>
        <Fact name="Call">
          <code>{call.callId}</code>
        </Fact>
      </dl>
      <h3>Arguments</h3>
      <CutText text={call.leftOut ? '(left out)' : showHidden(JSON.stringify(call.args, undefined, 2))} />
      {WITH_RESULT.has(call.outcome) && (
        <>
          <h3>Result</h3>
          {resultId === undefined ? <RecentResult call={call} /> : <StoredResult id={resultId} />}
        </>
      )}
    </div>
  );
}

/** Of the others, no answer came. */
const WITH_RESULT: ReadonlySet<AuditRecord['outcome']> = new Set(['ok', 'tool_error']);

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
