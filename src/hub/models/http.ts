import { once } from 'node:events';
import { PlugError } from '../../base/errors.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import type { Core } from '../core.ts';
import { privateOnly } from './address.ts';
import { modelLimits } from './limits.ts';

type Needed = Pick<Core, 'clock' | 'ids' | 'tasks' | 'options' | 'limits'>;

/** The sockets to models: opened by the first use, shared by all faces, and closed with the hub. */
export async function fetchFor(core: Needed, address: URL): Promise<Fetch> {
  if (core.tasks.signal.aborted) {
    throw new PlugError('unavailable', 'The hub is closing.', { owner: 'plugboard' });
  }
  const known = ways.get(core.tasks) ?? open(core);
  ways.set(core.tasks, known);
  const { plain, secure } = await known;
  return address.protocol === 'http:' ? plain : secure;
}

interface Ways {
  /** Never through a proxy, and never to the public internet. */
  readonly plain: Fetch;
  readonly secure: Fetch;
}

const ways = new WeakMap<Needed['tasks'], Promise<Ways>>();

async function open({ clock, ids, tasks, options, limits: given }: Needed): Promise<Ways> {
  const [{ createHttpClient }, { createFetch }] = await Promise.all([
    import('../../connections/http/http-client.ts'),
    import('../../connections/http/capped-fetch.ts'),
  ]);
  const limits = {
    ...given,
    httpHeadersMs: modelLimits.firstByteMs,
    httpBodyIdleMs: modelLimits.idleMs,
    httpAnswerBytesMax: modelLimits.answerBytesMax,
    sseEventBytesMax: modelLimits.eventBytesMax,
  };
  const plain = createHttpClient({ clock, ids, limits, guard: privateOnly });
  const secure = createHttpClient({ clock, ids, limits, env: options.env });
  tasks.run('keep the sockets to models', async (signal) => {
    if (!signal.aborted) await once(signal, 'abort');
    await Promise.all([plain.close(), secure.close()]);
  });
  // Busy providers are waited for by whoever talks to the model, who can say so.
  return {
    plain: createFetch({ dispatcher: plain.dispatcher, clock, limits, guard: privateOnly }),
    secure: createFetch({ dispatcher: secure.dispatcher, clock, limits }),
  };
}
