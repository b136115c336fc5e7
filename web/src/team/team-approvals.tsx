import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { ApprovalArguments } from '../approvals/approval-arguments.tsx';
import { Countdown } from '../approvals/countdown.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { RiskChip } from '../parts/risk-chip.tsx';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import type { OthersApproval } from './team-types.ts';

const PATH = '/v1/team/approvals';
const ASKED_AGAIN_MS = 3_000;

/** Calls of others that a rule of the team lets this person approve. */
export function TeamApprovals(): ReactNode {
  const { data, error } = useTeam<readonly OthersApproval[]>(PATH, { everyMs: ASKED_AGAIN_MS });
  const act = useTeamAction();
  return (
    <section aria-label="Approvals for others">
      <h2>Approvals for others</h2>
      <p className={styles['lead']}>
        Calls that a rule of the team asks you to approve. The first answer decides.
      </p>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      {data?.length === 0 && <EmptyState title="No calls wait for you" />}
      <ul className={styles['rows']} aria-label="Waiting for approval">
        {data?.map(({ approval, by }) => {
          const { id, server, tool, account, argsHash, decision, risk } = approval;
          const ref = showHidden(`${server}/${tool}`);
          const answer = (effect: 'allow' | 'deny'): void =>
            act.mutate({ method: 'PUT', path: `${PATH}/${id}`, body: { effect, argsHash } });
          return (
            <li key={id} className={styles['row']}>
              <div className={styles['what']}>
                <strong>{ref}</strong> <RiskChip risk={risk} />
                <p>
                  Asked by {by === undefined ? 'a former member' : `${by.name} (${by.email})`}
                  {account !== undefined && ` · as ${showHidden(account)}`}
                </p>
                <ApprovalArguments approval={approval} />
                <p>{showHidden(decision.reason)}</p>
                <Countdown until={approval.expiresAt} from={approval.createdAt} />
              </div>
              <Button aria-label={`Approve ${ref}`} busy={act.isPending} onClick={() => answer('allow')}>
                Approve
              </Button>
              <Button
                look="danger"
                aria-label={`Deny ${ref}`}
                busy={act.isPending}
                onClick={() => answer('deny')}
              >
                Deny
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
