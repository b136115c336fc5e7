import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { OfferedPlan } from '../hub/hub-context.tsx';
import { Chip } from '../parts/chip.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import styles from './add.module.css';

/** In plain words: what will happen, who makes it, and which version it is. */
export function PlanAbout({
  plan,
  headingId,
}: {
  readonly plan: OfferedPlan;
  readonly headingId: string;
}): ReactNode {
  const { view, publisher, docs } = plan;
  return (
    <header className={styles['stack']}>
      <div className={styles['row']}>
        <h2 id={headingId}>{showHidden(view.title)}</h2>
        <Chip>{view.url === undefined ? 'runs on this machine' : 'remote'}</Chip>
        {view.untrusted && <Chip tone="warn">from a link</Chip>}
      </div>
      <p>{view.summary}</p>
      <p className={styles['meta']}>
        From {view.from}. {publisher !== undefined && <>Published by {showHidden(publisher)}. </>}
        {view.package && PINNED[view.package.pinned]?.(view.package.version)}{' '}
        {docs !== undefined && <SafeLink href={docs}>About this server</SafeLink>}
      </p>
    </header>
  );
}

const PINNED: Readonly<Record<string, (version: string) => string>> = {
  exact: (version) => `Version ${version}, and no other.`,
  content: (version) => `Version ${version}, byte by byte.`,
  tag: (version) => `Version “${version}”: a tag that its publisher can move.`,
  none: () => 'Its version may change from day to day.',
};
