import { useCallback, useId, useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHubEvents } from '../hub/events.tsx';
import type { Approval, HubEvent } from '../hub/hub-context.tsx';
import { UnifiedDiff } from '../parts/diff-view.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { RiskChip } from '../parts/risk-chip.tsx';
import { useToast } from '../parts/toasts.tsx';
import { ApprovalAnswers } from './approval-answers.tsx';
import { ApprovalArguments } from './approval-arguments.tsx';
import { ApprovalEdit } from './approval-edit.tsx';
import { ApprovalPattern } from './approval-pattern.tsx';
import { askerOf, endOf, toolWords, WHERE } from './approval-words.ts';
import { Countdown } from './countdown.tsx';
import { DenialNote } from './denial-note.tsx';
import { useAnswer } from './use-answer.ts';
import styles from './approval-card.module.css';

interface ApprovalCardProps {
  readonly approval: Approval;
}

export type CardMode = 'look' | 'edit' | 'pattern' | 'note';

/** A call that waits for a person: everything they need to decide, and the answers. It takes no focus. */
export function ApprovalCard({ approval }: ApprovalCardProps): ReactNode {
  const title = useId();
  const toast = useToast();
  const [mode, setMode] = useState<CardMode>('look');
  const [ended, setEnded] = useState<string>();
  const { answer, said, error, busy } = useAnswer(approval);
  const { id, server, account, tool, risk, flags = [], decision, preview } = approval;
  const hear = useCallback(
    (event: HubEvent): void => {
      if (event.kind !== 'approval-answer' || event.id !== id) return;
      const where = event.by === undefined ? '' : WHERE[event.by];
      const says = endOf(event.outcome, where);
      setEnded(says);
      if (event.by !== undefined && event.by !== 'page') toast.info(`${server}/${tool}: ${says}`);
    },
    [id, server, tool, toast],
  );
  useHubEvents(hear);
  const end = said ?? ended;
  const look = (): void => setMode('look');
  return (
    <section className={styles['card']} aria-labelledby={title} data-risk={risk}>
      <header className={styles['head']}>
        <h3 id={title} className={styles['title']}>
          {showHidden(server)}
          {account !== undefined && ` (${showHidden(account)})`} wants to <em>{toolWords(tool)}</em>
        </h3>
        <RiskChip risk={risk} />
      </header>
      <p className={styles['meta']}>
        <code>
          {showHidden(server)}/{showHidden(tool)}
        </code>{' '}
        · asked by {askerOf(approval.requester)}
      </p>
      {end !== undefined ? (
        <p className={styles['end']} role="status">
          {end}
        </p>
      ) : (
        <>
          {flags.map((flag) => (
            <p key={`${flag.kind} ${flag.field}`} className={styles['flag']}>
              <Icon name="warn" /> {showHidden(`${flag.field}: ${flag.detail}`)}
            </p>
          ))}
          {mode === 'edit' ? (
            <ApprovalEdit approval={approval} onAnswer={answer} onClose={look} error={error} busy={busy} />
          ) : (
            <ApprovalArguments approval={approval} />
          )}
          {preview && mode !== 'edit' && (
            <figure className={styles['preview']}>
              <figcaption className={styles['meta']}>
                {preview.isDiff ? 'What would change in' : 'What would be written to'}{' '}
                <code>{showHidden(preview.path)}</code>
              </figcaption>
              <UnifiedDiff text={preview.text || 'It stays as it is.'} label={`Preview of ${preview.path}`} />
            </figure>
          )}
          <p className={styles['why']}>{showHidden(decision.reason)}</p>
          {error !== undefined && mode !== 'edit' && <ErrorNote error={error} />}
          {mode === 'pattern' && (
            <ApprovalPattern approval={approval} onAnswer={answer} onClose={look} busy={busy} />
          )}
          {mode === 'note' && <DenialNote onAnswer={answer} onClose={look} busy={busy} />}
          {mode === 'look' && (
            <ApprovalAnswers approval={approval} onAnswer={answer} onMode={setMode} busy={busy} />
          )}
          <Countdown until={approval.expiresAt} from={approval.createdAt} />
        </>
      )}
    </section>
  );
}
