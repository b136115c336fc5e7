import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView, UpdateOutcome, UpdatePlan } from '../../hub/hub-context.tsx';
import { keys, useHubAction } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { When } from '../../parts/when.tsx';
import { UpdateDiff } from './update-diff.tsx';
import styles from './config-tab.module.css';

/** Which version runs and since when; a newer one is compared with it before it takes its place. */
export function Version({ server }: { readonly server: ServerView }): ReactNode {
  const { id, version } = server;
  const toast = useToast();
  const [plan, setPlan] = useState<UpdatePlan>();
  const [updated, setUpdated] = useState<UpdateOutcome>();
  const changes = [keys.servers, keys.server(id), keys.changes];
  const check = useHubAction((hub) => hub.updates.list({ server: id, check: true }), [keys.servers]);
  const compare = useHubAction((hub) => hub.updates.plan({ server: id }));
  const apply = useHubAction((hub, update: string) => hub.updates.apply({ server: id, update }), changes);
  const undo = useHubAction((hub, change: string) => hub.changes.undo({ change }), changes);
  if (version?.package === undefined) return null;
  const running = version.package.version;
  const { latest, since } = version;
  const isNewer = latest !== undefined && latest !== running;
  const found = check.data?.[0];
  const error = check.error ?? compare.error ?? apply.error ?? undo.error;
  const update = (made: UpdatePlan): void =>
    apply.mutate(made.update, {
      onSuccess: (outcome) => {
        setPlan(undefined);
        setUpdated(outcome);
      },
    });
  const back = ({ change, from }: UpdateOutcome): void =>
    undo.mutate(change ?? '', {
      onSuccess: () => {
        setUpdated(undefined);
        toast.good(`${showHidden(server.name)} is at ${from} again.`);
      },
    });
  return (
    <section className={styles['version']} aria-label="Version">
      <p>
        Version {showHidden(running ?? 'not pinned')}
        {since !== undefined && (
          <>
            , since <When at={since} />
          </>
        )}
        {isNewer && <>. {showHidden(latest)} is available.</>}
        {!isNewer && latest !== undefined && '. This is the newest.'}
      </p>
      {found?.why !== undefined && <p className={styles['note']}>{showHidden(found.why)}</p>}
      {updated && (
        <div className={styles['note']} role="status">
          Updated from {showHidden(updated.from)} to {showHidden(updated.to)}.{' '}
          {updated.warnings.map((warning) => `${showHidden(warning)} `)}
          {updated.change !== undefined && (
            <Button busy={undo.isPending} onClick={() => back(updated)}>
              Undo
            </Button>
          )}
        </div>
      )}
      {plan && (
        <UpdateDiff
          plan={plan}
          busy={apply.isPending}
          onApply={() => update(plan)}
          onClose={() => setPlan(undefined)}
        />
      )}
      {error && <ErrorNote error={error} />}
      {!plan && isNewer && (
        <Button
          look="primary"
          busy={compare.isPending}
          onClick={() => compare.mutate(undefined, { onSuccess: setPlan })}
        >
          Compare with {showHidden(latest)}
        </Button>
      )}
      {!plan && !isNewer && (
        <Button busy={check.isPending} onClick={() => check.mutate(undefined)}>
          Check for updates
        </Button>
      )}
    </section>
  );
}
