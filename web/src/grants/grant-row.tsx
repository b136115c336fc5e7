import { memo, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { GrantView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { useToast } from '../parts/toasts.tsx';
import { When } from '../parts/when.tsx';
import { regrant } from './regrant.ts';
import styles from './grants.module.css';

/** One grant in words. Taking it back holds at once, and can be undone for a moment. */
export const GrantRow = memo(function GrantRow({ grant }: { readonly grant: GrantView }): ReactNode {
  const toast = useToast();
  const again = useHubAction(
    (hub, given: Parameters<typeof hub.grants.add>[0]) => hub.grants.add(given),
    [keys.grants],
  );
  const revoke = useHubAction((hub, id: string) => hub.grants.revoke({ id }), [keys.grants]);
  const says = showHidden(grant.says);
  const takeBack = (): void =>
    revoke.mutate(grant.id, {
      onError: (error) => toast.bad(error),
      onSuccess: () => {
        const same = regrant(grant);
        if (same === undefined) toast.good('Grant removed', says);
        else {
          const undo = (): void => again.mutate(same, { onError: (error) => toast.bad(error) });
          toast.info('Grant taken back', says, { label: 'Undo', onClick: undo });
        }
      },
    });
  return (
    <li className={styles['row']}>
      <div>
        <p>{says}</p>
        <p className={styles['meta']}>
          <span>
            granted <When at={grant.createdAt} /> ({showHidden(grant.source)})
          </span>
          {grant.stale !== undefined && <span className={styles['stale']}>▲ {grant.stale}</span>}
        </p>
      </div>
      <Button
        onClick={takeBack}
        busy={revoke.isPending}
        aria-label={`${grant.stale === undefined ? 'Revoke' : 'Remove'}: ${says}`}
      >
        {grant.stale === undefined ? 'Revoke' : 'Remove'}
      </Button>
    </li>
  );
});
