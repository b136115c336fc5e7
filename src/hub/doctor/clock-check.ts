import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoctorRow } from '../hub.ts';
import { doctorLimits } from './limits.ts';
import type { Visit } from './patient.ts';
import { fail, pass, warn } from './rows.ts';

/** No hub of this version ran before it was written. */
const WRITTEN = Date.UTC(2026, 0, 1);

/** A clock that is wrong makes sign-ins and certificates fail, each with another message. */
export async function lookAtClock({ core }: Visit): Promise<readonly DoctorRow[]> {
  const now = core.clock.now();
  const shown = new Date(now).toISOString().slice(0, 16).replace('T', ' ');
  const more = {
    cause: 'unavailable',
    owner: 'you',
    next: 'Set the clock of this machine: timedatectl set-ntp true',
  } as const;
  if (now < WRITTEN) return [fail('clock', `It is ${shown} UTC here, which is in the past.`, more)];
  const ahead = Math.max(await newestFileMs(core.options.paths.data), await newestEventMs(core)) - now;
  if (ahead > doctorLimits.clockSkewMs) {
    const minutes = Math.round(ahead / 60_000);
    const says = `It is ${shown} UTC here, but things were written ${minutes} minutes later than that: the clock was set back, or is wrong.`;
    return [warn('clock', says, more)];
  }
  return [pass('clock', `It is ${shown} UTC.`)];
}

async function newestFileMs(data: string): Promise<number> {
  const names = ['plugboard.db', 'plugboard.db-wal', 'hub.log'];
  const times = await Promise.all(
    names.map((name) =>
      stat(join(data, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

async function newestEventMs({ storage, owner }: Visit['core']): Promise<number> {
  const [last] = await storage.connections.listEvents(owner, { limit: 1 });
  return last?.at ?? 0;
}
