import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { defined } from '../../../src/base/defined.ts';
import { approversOf } from '../../../src/policy/decision.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHubEvents } from '../hub/events.tsx';
import { useServers } from '../hub/queries.ts';
import type { Approval, ApprovalEnd, HubEvent } from '../hub/hub-context.tsx';
import { UnifiedDiff } from '../parts/diff-view.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { WHERE } from '../parts/answer-words.ts';
import { Fold } from '../parts/fold.tsx';
import { Icon } from '../parts/icon.tsx';
import { RiskChip } from '../parts/risk-chip.tsx';
import { useToast } from '../parts/toasts.tsx';
import { ApprovalAnswers } from './approval-answers.tsx';
import { ApprovalArguments } from './approval-arguments.tsx';
import { ApprovalEdit } from './approval-edit.tsx';
import { ApprovalPattern } from './approval-pattern.tsx';
import { askerOf, endOf, toolWords } from './approval-words.ts';
import { Countdown } from './countdown.tsx';
import { DenialNote } from './denial-note.tsx';
import { useAnswer } from './use-answer.ts';
import styles from './approval-card.module.css';

interface ApprovalCardProps {
  readonly approval: Approval;
  /** It was answered, here or elsewhere. */
  readonly onEnd?: ((end: ApprovalEnd) => void) | undefined;
}

export type CardMode = 'look' | 'edit' | 'pattern' | 'note';

/** A call that waits for a person: everything they need to decide, and the answers. It takes no focus. */
export function ApprovalCard({ approval, onEnd }: ApprovalCardProps): ReactNode {
  const title = useId();
  const toast = useToast();
  const [mode, setMode] = useState<CardMode>('look');
  const { answer, said, error, busy } = useAnswer(approval);
  const { id, server, account, tool, risk, flags = [], decision } = approval;
  const [ended, setEnded] = useState<{ readonly words: string; readonly end: ApprovalEnd }>();
  const hear = useCallback(
    (event: HubEvent): void => {
      if (event.kind !== 'approval-answer' || event.id !== id) return;
      const { outcome, by } = event;
      const words = endOf(outcome, by === undefined ? '' : WHERE[by]);
      setEnded({ words, end: { outcome, ...defined({ by }) } });
      if (by !== undefined && by !== 'page') toast.info(`${server}/${tool}: ${words}`);
    },
    [id, server, tool, toast],
  );
  useHubEvents(hear);
  const end = said ?? ended;
  useTold(end?.end, onEnd);
  const name = useServers().data?.servers.find((view) => view.id === server)?.name ?? server;
  const look = (): void => setMode('look');
  const ref = `${showHidden(server)}/${showHidden(tool)}`;
  if (end !== undefined) {
    return (
      <p className={styles['end']} role="status" data-outcome={end.end.outcome}>
        <span aria-hidden="true">{end.end.outcome === 'allowed' ? '✓' : '–'}</span> <code>{ref}</code> ·{' '}
        {end.words}
      </p>
    );
  }
  return (
    <section className={styles['card']} aria-labelledby={title} data-risk={risk}>
      <header className={styles['head']}>
        <h3 id={title} className={styles['title']}>
          {showHidden(name)}
          {account !== undefined && ` (${showHidden(account)})`} wants to <em>{toolWords(tool)}</em>
        </h3>
        <RiskChip risk={risk} />
      </header>
      <p className={styles['meta']}>
        <code>{ref}</code> · asked by {askerOf(approval.requester)}
      </p>
      {flags.map((flag) => (
        <p key={`${flag.kind} ${flag.field}`} className={styles['flag']}>
          <Icon name="warn" /> {showHidden(`${flag.field}: ${flag.detail}`)}
        </p>
      ))}
      {mode === 'edit' ? (
        <ApprovalEdit approval={approval} onAnswer={answer} onClose={look} error={error} busy={busy} />
      ) : (
        <Asked approval={approval} />
      )}
      <p className={styles['why']}>{showHidden(decision.reason)}</p>
      {error !== undefined && mode !== 'edit' && <ErrorNote error={error} />}
      {mode === 'pattern' && (
        <ApprovalPattern approval={approval} onAnswer={answer} onClose={look} busy={busy} />
      )}
      {mode === 'note' && <DenialNote onAnswer={answer} onClose={look} busy={busy} />}
      {mode === 'look' && approversOf(decision) === undefined && (
        <ApprovalAnswers approval={approval} onAnswer={answer} onMode={setMode} busy={busy} />
      )}
      <Countdown until={approval.expiresAt} from={approval.createdAt} />
    </section>
  );
}

/** What would change, where that is known; the arguments say the same and are folded then. */
function Asked({ approval }: { readonly approval: Approval }): ReactNode {
  const { preview } = approval;
  if (!preview) return <ApprovalArguments approval={approval} />;
  return (
    <>
      <figure className={styles['preview']}>
        <figcaption className={styles['meta']}>
          {preview.isDiff ? 'What would change in' : 'Changes to write to'}{' '}
          <code>{showHidden(preview.path)}</code>
        </figcaption>
        <UnifiedDiff text={preview.text || 'It stays as it is.'} label={`Preview of ${preview.path}`} />
      </figure>
      <Fold label="Arguments">
        <ApprovalArguments approval={approval} />
      </Fold>
    </>
  );
}

function useTold(end: ApprovalEnd | undefined, onEnd: ApprovalCardProps['onEnd']): void {
  const tell = useRef(onEnd);
  useEffect(() => {
    tell.current = onEnd;
  });
  useEffect(() => {
    if (end) tell.current?.(end);
  }, [end]);
}
