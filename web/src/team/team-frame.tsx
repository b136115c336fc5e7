import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { WaitingBar } from '../approvals/waiting-bar.tsx';
import { ConnectionBar } from '../frame/connection-bar.tsx';
import { EventToasts } from '../frame/event-toasts.tsx';
import { FaultBoundary } from '../frame/fault-boundary.tsx';
import frame from '../frame/frame.module.css';
import { places } from '../frame/places.ts';
import rail from '../frame/rail.module.css';
import { Icon, type IconName } from '../parts/icon.tsx';
import { ServersPage } from '../servers/servers-page.tsx';
import { useTeam } from './ask-team.ts';
import type { Me } from './team-types.ts';

const ApprovalsPage = lazy(() => import('../approvals/approvals-page.tsx'));
const GrantsPage = lazy(() => import('../grants/grants-page.tsx'));
const ActivityPage = lazy(() => import('../activity/activity-page.tsx'));
const AddServerPage = lazy(() => import('./add-server.tsx'));
const TeamPage = lazy(() => import('./team-page.tsx'));
const AccountPage = lazy(() => import('./account-page.tsx'));

interface Way {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
}

const WAYS: readonly Way[] = [
  { to: places.servers, label: 'Servers', icon: 'plug' },
  { to: places.activity, label: 'Activity', icon: 'pulse' },
  { to: places.grants, label: 'Grants', icon: 'key' },
  { to: '/team', label: 'Team', icon: 'chat' },
];

/** The page of one person of a team: their own servers, and the team's places. */
export function TeamFrame(): ReactNode {
  const { data: me } = useTeam<Me>('/v1/team/me');
  const [location] = useLocation();
  if (!me) return null;
  return (
    <div className={frame['frame']}>
      <a className={frame['skip']} href="#content">
        Skip to content
      </a>
      <Rail me={me} />
      <div className={frame['main']}>
        <ConnectionBar />
        <FaultBoundary look="quiet">
          <WaitingBar />
        </FaultBoundary>
        <FaultBoundary look="place" of={location}>
          <Suspense fallback={<p className={frame['loading']}>Loading …</p>}>
            <Switch>
              <Route path="/">
                <Redirect to={me.role === 'auditor' ? '/team' : places.servers} replace />
              </Route>
              <Route path="/servers/:id?/:tab?" component={ServersPage} />
              <Route path={places.add} component={AddServerPage} />
              <Route path={places.approvals} component={ApprovalsPage} />
              <Route path={places.grants} component={GrantsPage} />
              <Route path={places.activity} component={ActivityPage} />
              <Route path="/team">
                <TeamPage me={me} />
              </Route>
              <Route path="/team/account">
                <AccountPage me={me} />
              </Route>
              <Route>
                <p className={frame['loading']}>There is no such page.</p>
              </Route>
            </Switch>
          </Suspense>
        </FaultBoundary>
      </div>
      <EventToasts />
    </div>
  );
}

function Rail({ me }: { readonly me: Me }): ReactNode {
  const [location] = useLocation();
  const here = (to: string): 'page' | undefined => (location.startsWith(to) ? 'page' : undefined);
  return (
    <nav className={rail['rail']} aria-label="Plugboard">
      <p className={rail['name']}>
        <Icon name="mark" /> <span>plug</span>
      </p>
      {WAYS.map(({ to, label, icon }) => (
        <Link key={to} href={to} aria-current={here(to)} className={rail['way']} title={label}>
          <Icon name={icon} />
          <span>{label}</span>
        </Link>
      ))}
      <Link
        href="/team/account"
        aria-current={here('/team/account')}
        className={`${rail['way']} ${rail['last']}`}
        title={me.email}
      >
        <Icon name="gear" />
        <span>Account</span>
      </Link>
    </nav>
  );
}
