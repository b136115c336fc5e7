import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { ownTitle, reasonOf } from '../hub/server-names.ts';
import { Chip } from '../parts/chip.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Switch } from '../parts/switch.tsx';
import { TokenMeter } from '../parts/token-meter.tsx';
import { counted } from '../parts/words.ts';
import { attentionOf } from '../repair/repair.ts';
import { CardAction } from './card-action.tsx';
import { DayStrip } from './day-strip.tsx';
import { SelectServer } from './selection.tsx';
import { ServerIcon } from './server-icon.tsx';
import { ServerMenu } from './server-menu.tsx';
import type { ServerDay } from './use-day.ts';
import { useServerActions } from './use-server-actions.ts';
import styles from './server-card.module.css';

interface ServerCardProps {
  readonly server: ServerView;
  /** Its drawer is open. */
  readonly chosen: boolean;
  readonly day?: ServerDay | undefined;
}

/** A server at a glance: who it is, how it is and why, what it costs, and the one next step. */
export const ServerCard: (props: ServerCardProps) => ReactNode = memo(function ServerCard({
  server,
  chosen,
  day,
}: ServerCardProps): ReactNode {
  const { id, state, enabled, untrusted, review } = server;
  const attention = attentionOf(server);
  const actions = useServerActions();
  const name = showHidden(server.name);
  return (
    <article
      className={styles['card']}
      data-state={state.kind}
      data-attention={attention}
      data-chosen={chosen || undefined}
    >
      <header className={styles['head']}>
        <SelectServer server={server} />
        <ServerIcon id={id} name={server.name} hasIcon={server.hasIcon} featured={server.featured} />
        <h2 className={styles['name']}>
          <Link href={places.server(id, TABS[state.kind] ?? 'tools')} data-card={id} title={name}>
            {name}
          </Link>
        </h2>
        {server.account !== undefined && <Chip title="Your account there">{showHidden(server.account)}</Chip>}
        <Switch
          label={`${name} is on`}
          checked={enabled}
          disabled={untrusted !== undefined}
          onChange={(on) => void actions.setEnabled(id, on)}
        />
      </header>
      <p className={styles['state']}>
        {attention === 'review' && review ? (
          <Chip tone="warn">▲ {counted(review.changed + review.flagged, 'tool')} to review</Chip>
        ) : (
          <StateBadge state={state} />
        )}
        <span className={styles['reason']} title={reasonOf(server)}>
          {(attention === undefined && purposeOf(server)) || reasonOf(server)}
        </span>
      </p>
      {day && <DayStrip day={day} />}
      <footer className={styles['foot']}>
        <span className={styles['meta']}>
          <Tools server={server} />
        </span>
        <span className={styles['doing']}>
          <CardAction server={server} />
          <ServerMenu server={server} />
        </span>
      </footer>
    </article>
  );
});

/** A healthy server says what it is for; how it came to be connected is in its events. */
function purposeOf(server: ServerView): string | undefined {
  const { kind } = server.state;
  if (kind !== 'ready' && kind !== 'asleep' && kind !== 'disabled') return undefined;
  const words = [ownTitle(server), server.about].filter((each) => each !== undefined);
  return words.length === 0 ? undefined : showHidden(words.join(' · '));
}

/** Until a server was started once, nobody knows how many tools it has. */
function Tools({ server }: { readonly server: ServerView }): ReactNode {
  if (server.serverInfo === undefined) {
    return attentionOf(server) === undefined ? 'Tools not known yet' : null;
  }
  const { toolsOffered, toolCount, tokens } = server;
  if (toolCount === 0) return 'No tools';
  return (
    <>
      {toolsOffered}/{toolCount} tools
      {tokens !== undefined && (
        <>
          {' · '}
          <TokenMeter tokens={tokens} />
        </>
      )}
    </>
  );
}

/** What a person looks for who opens a server in this state. */
const TABS: Readonly<Partial<Record<ServerView['state']['kind'], string>>> = {
  failed: 'check',
  'needs-sign-in': 'accounts',
  'needs-input': 'config',
};
