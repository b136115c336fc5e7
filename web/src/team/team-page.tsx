import type { ReactNode } from 'react';
import { Page } from '../frame/page.tsx';
import { AuditExport } from './audit-export.tsx';
import { People } from './people.tsx';
import { Groups } from './groups.tsx';
import { Records } from './records.tsx';
import { SharedServers } from './shared-servers.tsx';
import { TeamApprovals } from './team-approvals.tsx';
import { Usage } from './usage.tsx';
import { isAdmin, type Me } from './team-types.ts';

/** What all of the team share, and who is in it; each role sees its part. */
export default function TeamPage({ me }: { readonly me: Me }): ReactNode {
  const oversees = isAdmin(me) || me.role === 'auditor';
  return (
    <Page title="Team">
      {me.role !== 'auditor' && <TeamApprovals />}
      {me.role !== 'auditor' && <SharedServers me={me} />}
      {oversees && <People me={me} />}
      {oversees && <Groups me={me} />}
      {oversees && <Usage />}
      {me.role === 'auditor' && <Records />}
      {oversees && <AuditExport me={me} />}
    </Page>
  );
}
