import type { ReactNode } from 'react';
import { App } from '../frame/app.tsx';
import type { Session } from '../hub/session.ts';
import { TeamFrame } from './team-frame.tsx';

/** People of a team are known by their cookie alone: the sign-in is a page of its own. */
export default function TeamDoor(): ReactNode {
  return <App session={SESSION} onShutOut={signIn} frame={<TeamFrame />} />;
}

const SESSION: Session = { headers: () => ({}) };

function signIn(): void {
  window.location.assign('/sign-in');
}
