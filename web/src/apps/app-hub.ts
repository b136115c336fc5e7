import { PlugError } from '../../../src/base/errors.ts';
import { connect } from '../hub/connect.ts';
import type { Hub } from '../hub/hub-context.tsx';
import { openSession } from '../hub/session.ts';

/**
 * The hub as apps see it: a client of its own, so that what an app asks for is never taken for what
 * the person asked for, and the person may answer it.
 */
export function appHub(): Promise<Hub> {
  return (opening ??= open());
}

let opening: Promise<Hub> | undefined;

async function open(): Promise<Hub> {
  const session = await openSession();
  if (session === 'none') {
    throw new PlugError('denied', 'This page is no longer signed in to the hub.', { owner: 'you' });
  }
  return connect(session, () => undefined);
}
