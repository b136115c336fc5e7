import type { ReactNode } from 'react';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { addFact, settle } from './talk.ts';
import styles from './setup.module.css';

interface SwitchCardProps {
  readonly id: string;
  readonly server: string;
  readonly on: boolean;
  readonly settled: string | undefined;
}

/** A server that would be turned on or off. It can be undone, so one click is enough. */
export function SwitchCard({ id, server, on, settled }: SwitchCardProps): ReactNode {
  const does = on ? 'on' : 'off';
  const act = useHubAction(
    (hub, given: string) => hub.servers[on ? 'enable' : 'disable']({ id: given }),
    [keys.servers],
  );
  const go = (): void =>
    act.mutate(server, {
      onSuccess: () => {
        settle(id, `${server} is ${does}.`);
        addFact(`${server} is ${does}.`, { kind: on ? 'enabled' : 'disabled', server });
      },
    });
  return (
    <section className={styles['card']} aria-label={`Turn ${server} ${does}`}>
      <h3>
        Turn {server} {does}?
      </h3>
      {act.error && <ErrorNote error={act.error} />}
      <div>
        <Button look="primary" disabled={settled !== undefined} busy={act.isPending} onClick={go}>
          {settled ?? `Turn ${does}`}
        </Button>
      </div>
    </section>
  );
}
