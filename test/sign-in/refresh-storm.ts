import { setTimeout as sleep } from 'node:timers/promises';
import { startCaller } from './caller.ts';
import { scratchFolder } from './scratch-folder.ts';
import { openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from './start.ts';

export interface StormOutcome {
  readonly refreshes: { readonly good: number; readonly bad: number };
  /** Pages of the authorization server that were opened while the storm went on. */
  readonly browsers: number;
  readonly calls: Readonly<Record<string, number>>;
}

/**
 * Several processes with one expired token between them, each with several calls at once. By itself
 * (`node test/sign-in/refresh-storm.ts [RUNS]`) it repeats this and says how it went.
 */
export async function refreshStorm({
  processes,
  calls,
}: {
  processes: number;
  calls: number;
}): Promise<StormOutcome> {
  using scratch = scratchFolder();
  const folder = scratch.path;
  await using as = await startAuthorizationServer({ ttl: 1 });
  await using server = await startProtectedServer({ issuer: as.url });
  {
    await using hub = await openTestHub({ folder });
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub);
  }
  await as.post('/_ttl?seconds=3600');
  await sleep(1_100);
  const before = await as.stats();
  const refreshedBefore = await as.grants('refresh_token');
  const callers = await Promise.all(Array.from({ length: processes }, () => startCaller({ folder, calls })));
  const ends = (await Promise.all(callers.map((caller) => caller.go()))).flatMap((own) => own ?? ['killed']);
  const after = await as.grants('refresh_token');
  const counts: Record<string, number> = {};
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  return {
    refreshes: { good: after.good - refreshedBefore.good, bad: after.bad - refreshedBefore.bad },
    browsers: (await as.stats()).authorizations.length - before.authorizations.length,
    calls: counts,
  };
}

if (import.meta.main) {
  const runs = Number(process.argv[2] ?? 50);
  let right = 0;
  for (let run = 1; run <= runs; run += 1) {
    const outcome = await refreshStorm({ processes: 5, calls: 10 });
    const { refreshes, browsers, calls } = outcome;
    const ok = refreshes.good === 1 && refreshes.bad === 0 && browsers === 0 && calls['ok'] === 50;
    right += Number(ok);
    console.log(`${run}: ${JSON.stringify(outcome)}`);
  }
  console.log(`${right} of ${runs} runs: 1 refresh, 0 browsers, 50 answers`);
  process.exitCode = right === runs ? 0 : 1;
}
