import type { Params } from '../params.ts';
import { grandchild, grandchildHoldsStdout, ignoresStop, lock } from './bad-end.ts';
import {
  crashesN,
  exitsAtOnce,
  exitsOnUnknown,
  hangsInHandshake,
  lateStart,
  silentOnUnknown,
} from './bad-start.ts';
import { badIds, floodsStderr, noise, pagesForever, storms } from './bad-talk.ts';
import { dual, legacy, modern } from './good.ts';
import { scripted } from './scripted.ts';

/** Every behavior by its name on the command line. */
export const behaviors: Record<string, (params: Params) => void | Promise<void>> = {
  modern,
  legacy,
  dual,
  'exits-at-once': exitsAtOnce,
  'hangs-in-handshake': hangsInHandshake,
  'late-start': lateStart,
  'crashes-n': crashesN,
  'exits-on-unknown': exitsOnUnknown,
  'silent-on-unknown': silentOnUnknown,
  noise,
  'floods-stderr': floodsStderr,
  storms,
  'pages-forever': pagesForever,
  'bad-ids': badIds,
  'ignores-stop': ignoresStop,
  grandchild,
  'grandchild-holds-stdout': grandchildHoldsStdout,
  lock,
  scripted,
};
