import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Page } from '../frame/page.tsx';
import { places } from '../frame/places.ts';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { AddGrant } from './add-grant.tsx';
import { Defaults } from './defaults.tsx';
import { GrantList } from './grant-list.tsx';
import { Rules } from './rules.tsx';
import styles from './grants.module.css';

/** What may run without asking, and what happens to everything else. */
export default function GrantsPage(): ReactNode {
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Grants"
      actions={
        <>
          <Link href={places.approvals} className={`${buttons['button']} ${buttons['quiet']}`}>
            Approvals
          </Link>
          <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
            Add a grant
          </Button>
        </>
      }
    >
      <p className={styles['lead']}>A grant lets a tool run without asking you each time.</p>
      <GrantList />
      <Defaults />
      <Rules />
      {adding && <AddGrant onClose={() => setAdding(false)} />}
    </Page>
  );
}
