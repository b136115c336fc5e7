import { lazy, Suspense, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ServersPage } from '../servers/servers-page.tsx';
import { places } from './places.ts';
import { Rail } from './rail.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { ReadOnlyBar } from './read-only-bar.tsx';
import { WaitingBar } from '../approvals/waiting-bar.tsx';
import { Palette } from '../palette/palette.tsx';
import { EventToasts } from './event-toasts.tsx';
import { FaultBoundary } from './fault-boundary.tsx';
import { Shortcuts } from './shortcuts.tsx';
import styles from './frame.module.css';

const AddPage = lazy(() => import('../add/add-page.tsx'));
const SetupPage = lazy(() => import('../setup/setup-page.tsx'));
const ChatPage = lazy(() => import('../chat/chat-page.tsx'));
const ApprovalsPage = lazy(() => import('../approvals/approvals-page.tsx'));
const GrantsPage = lazy(() => import('../grants/grants-page.tsx'));
const ActivityPage = lazy(() => import('../activity/activity-page.tsx'));
const SettingsPage = lazy(() => import('../settings/settings-page.tsx'));

/** The rail at the left, and the place that the address names. */
export function Frame(): ReactNode {
  const [location] = useLocation();
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <Rail />
      <div className={styles['main']}>
        <ConnectionBar />
        <ReadOnlyBar />
        <FaultBoundary look="quiet">
          <WaitingBar />
        </FaultBoundary>
        <FaultBoundary look="place" of={location}>
          <Suspense fallback={<p className={styles['loading']}>Loading…</p>}>
            <Switch>
              <Route path="/">
                <Redirect to={places.servers} replace />
              </Route>
              <Route path="/servers/:id?/:tab?" component={ServersPage} />
              <Route path={places.add} component={AddPage} />
              <Route path={places.setup} component={SetupPage} />
              <Route path="/chat/:id?" component={ChatPage} />
              <Route path={places.approvals} component={ApprovalsPage} />
              <Route path={places.grants} component={GrantsPage} />
              <Route path={places.activity} component={ActivityPage} />
              <Route path="/settings/:part?" component={SettingsPage} />
              <Route>
                <p className={styles['loading']}>Page not found.</p>
              </Route>
            </Switch>
          </Suspense>
        </FaultBoundary>
      </div>
      <FaultBoundary look="quiet">
        <Palette />
        <Shortcuts />
      </FaultBoundary>
      <EventToasts />
    </div>
  );
}
