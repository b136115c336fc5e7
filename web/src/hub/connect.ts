import { connectHub } from '../../../src/api/client.ts';
import { fetchSend } from '../../../src/api/fetch-send.ts';
import type { Hub } from '../../../src/hub/hub.ts';
import type { Session } from './session.ts';

/** The hub that served this page, as this tab sees it. */
export function connect(session: Session, onBreak: () => void): Hub {
  return connectHub(fetchSend({ url: window.location.origin, headers: () => session.headers() }), {
    kind: 'page',
    onBreak,
  });
}
