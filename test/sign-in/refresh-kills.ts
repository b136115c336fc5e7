import { setTimeout as sleep } from 'node:timers/promises';
import { PlugError } from '../../src/base/errors.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { startCaller } from './caller.ts';
import { scratchFolder } from './scratch-folder.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer, type AuthorizationFixture } from './start.ts';

export interface KillOutcome {
  /** The next process went on as if nothing had happened. */
  readonly worked: number;
  /** The kill fell between the answer of the authorization server and its save. */
  readonly signInAgain: number;
  /** Anything else, in words: none is allowed. */
  readonly wrong: readonly string[];
}

const HOUR_MS = 3_600_000;
const LEASE_MS = 400;

/**
 * Kills a process with SIGKILL at a random moment of a refresh, again and again, and looks what the
 * next one finds. By itself: `node test/sign-in/refresh-kills.ts [KILLS]`.
 */
export async function killRefreshes(kills: number): Promise<KillOutcome> {
  using folder = scratchFolder();
  // The authorization server takes its time, so that kills fall before, within and after its work.
  await using as = await startAuthorizationServer({ slow: 60 });
  await using server = await startProtectedServer({ issuer: as.url });
  let aheadMs = 0;
  await using hub = await openTestHub({
    folder: folder.path,
    clock: clockAhead(() => aheadMs),
    limits: { refreshLeaseMs: LEASE_MS },
  });
  await hub.servers.add({ definition: remoteServer(server.url), test: false });
  await signIn(hub);
  const outcome = { worked: 0, signInAgain: 0, wrong: [] as string[] };
  for (let round = 0; round < kills; round += 1) {
    // To both the token has expired now.
    aheadMs += 2 * HOUR_MS;
    const victim = await startCaller({ folder: folder.path, calls: 3, aheadMs, leaseMs: LEASE_MS });
    const asked = as.post('/_token');
    const ended = victim.go();
    // Mostly while the request is on its way or its answer is being saved, sometimes before.
    await (round % 4 === 0 ? sleep(Math.random() * 1_000) : asked.then(() => sleep(Math.random() * 150)));
    victim.kill();
    await ended;
    const end = await lookAfter(hub, as);
    await asked;
    if (end === 'ok') outcome.worked += 1;
    else if (end === 'sign_in_needed') outcome.signInAgain += 1;
    else outcome.wrong.push(end);
  }
  return outcome;
}

/** The token works, or one clear “sign in again” that is final until somebody does, and helps then. */
async function lookAfter(hub: Hub, as: AuthorizationFixture): Promise<string> {
  const before = await as.grants('refresh_token');
  const end = await tryCall(hub);
  const after = await as.grants('refresh_token');
  const requests = after.good + after.bad - before.good - before.bad;
  if (requests > 2) return `${requests} requests for one token`;
  if (end !== 'sign_in_needed') return end;
  if ((await tryCall(hub)) !== 'sign_in_needed') return 'the second answer was another one';
  const later = await as.grants('refresh_token');
  if (later.good + later.bad !== after.good + after.bad) return 'it goes on asking with a dead token';
  await signIn(hub);
  const again = await tryCall(hub);
  return again === 'ok' ? end : `after signing in: ${again}`;
}

async function tryCall(hub: Hub): Promise<string> {
  return callTool(hub, 'site/echo', { message: 'hello' }).then(
    () => 'ok',
    (error: unknown) => (error instanceof PlugError ? error.code : String(error)),
  );
}

if (import.meta.main) {
  const outcome = await killRefreshes(Number(process.argv[2] ?? 100));
  console.log(JSON.stringify(outcome));
  process.exitCode = outcome.wrong.length === 0 ? 0 : 1;
}
