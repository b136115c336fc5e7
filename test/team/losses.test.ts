import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startPostgres } from '../contracts/postgres-server.ts';
import { waitFor } from '../servers/start.ts';
import { shareOf } from '../suite/share-of.ts';
import { startCountingServer } from './counting-server.ts';
import { loseReplica, readyAt, startReplicaProcess } from './losing-replica.ts';
import { openReplicas } from './replicas-world.ts';

verifies(
  ['M3', 'L9'],
  'a replica that is killed in the middle of many calls leaves none without an end at its next connection, none unrecorded and none made twice; a database that restarts leaves none unanswered',
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
      balanced: world.hubAt(world.balancer.port, member),
      kill: victim.kill,
    });
    const { answered, unknown, foundEnded, foundUnknown, repeated, dispatched } = outcome;
    console.log(`killed in the middle of ${calls} calls: ${JSON.stringify(outcome)}`);
    // The other one goes on: nothing was refused by it.
    expect(outcome).toMatchObject({ refused: 0, unrecorded: 0, twice: 0 });
    expect(answered + unknown + foundEnded + foundUnknown + repeated).toBe(calls);
    expect(dispatched).toBeGreaterThan(answered + foundEnded + repeated - 1);
    expect((await survivor.audit.verify()).intact).toBe(true);

    const { body: made } = await member.ask('POST', '/v1/team/keys', { name: 'host' });
    const statuses = new Set<number>();
    const ask = async (): Promise<number> => {
      const status = await listTools(world.url, String(made.key));
      statuses.add(status);
      return status;
    };
    await postgres.pause();
    const asking = ask();
    await postgres.resume();
    await asking;
    await waitFor(async () => (await ask()) === 200);
    // A host that is told that its key is unknown throws it away.
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);

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

async function listTools(url: string, key: string): Promise<number> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
  });
  await answer.text();
  return answer.status;
}

async function ownPostgres() {
  const server = await startPostgres();
  return { ...server, [Symbol.asyncDispose]: () => server.stop() };
}
