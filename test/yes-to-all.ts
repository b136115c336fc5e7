import type { HubOptions } from '../src/hub/open-hub.ts';

/** Somebody who approves every call: for tests that are about something else. */
export const yesToAll: NonNullable<HubOptions['approve']> = () => Promise.resolve({ effect: 'allow' });
