import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import './base.css';
import { Door } from './frame/door.tsx';
import { showTheme } from './settings/theme.ts';

const TeamDoor = lazy(() => import('./team/team-door.tsx'));

showTheme();
// The hub of a team says so in the document.
const isTeam = document.documentElement.dataset['team'] !== undefined;
const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    {isTeam ? (
      <Suspense>
        <TeamDoor />
      </Suspense>
    ) : (
      <Door />
    )}
  </StrictMode>,
);
