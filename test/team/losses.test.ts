import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startPostgres } from '../contracts/postgres-server.ts';
import { shareOf } from '../suite/share-of.ts';
import { startCountingServer } from './counting-server.ts';
import { loseReplica, readyAt, startReplicaProcess } from './losing-replica.ts';
import { openReplicas } from './replicas-world.ts';

verifies(
  ['M3', 'L9'],
  'a replica that is killed in the middle of many calls leaves none unanswered, none unrecorded and none made twice; a database that restarts leaves none unanswered',
  async () => {
    await using postgres = await ownPostgres();
    await using counting = await startCountingServer(() => 5);
    await using world = await openReplicas(postgres.url, 1);
    await using victim = await startReplicaProcess(world);
    const member = await world.invited('mira');
    const [port = 0] = world.balancer.targets;
    const direct = world.hubAt(victim.port, member);
    const survivor = world.hubAt(port, member);
    await readyAt(direct, counting.url);
    const calls = shareOf(1_000, 200);
    const outcome = await loseReplica({
      calls,
      atOnce: 16,
      counting,
      survivor,
      through: [direct, survivor, survivor, survivor],
      kill: victim.kill,
    });
    const { answered, refused, unknown, broken, dispatched } = outcome;
    console.log(`killed in the middle of ${calls} calls: ${JSON.stringify(outcome)}`);
    expect(answered + refused + unknown + broken).toBe(calls);
    expect(outcome).toMatchObject({ unrecorded: 0, twice: 0 });
    expect(dispatched).toBeGreaterThan(answered - 1);
    // The other one goes on: nothing was refused by it.
    expect(refused).toBe(0);
    expect((await survivor.audit.verify()).intact).toBe(true);

    const before = counting.counts.size;
    const restarting = postgres.restart();
    const from = performance.now();
    const during = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        survivor.tools.call({ tool: 'count/add_number', args: { n: 10_000 + index } }),
      ),
    );
    await restarting;
    const restartMs = performance.now() - from;
    await survivor.tools.call({ tool: 'count/add_number', args: { n: 20_000 } });
    console.log(
      `restarted PostgreSQL in ${Math.round(restartMs)} ms; the first call was answered ${Math.round(performance.now() - from - restartMs)} ms later; of 20 calls meanwhile ${during.filter(({ status }) => status === 'fulfilled').length} were answered with a result`,
    );
    expect(counting.counts.size).toBeGreaterThan(before);
    expect([...counting.counts.values()].every((count) => count === 1)).toBe(true);
    expect((await survivor.audit.verify()).intact).toBe(true);
  },
  300_000,
);

async function ownPostgres() {
  const server = await startPostgres();
  return { ...server, [Symbol.asyncDispose]: () => server.stop() };
}
