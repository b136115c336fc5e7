import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { gatewayWorld, legacyHost, type LegacyHost } from './gateway-world.ts';
import { curious } from './hosts-world.ts';

verifies(
  ['G2', 'C15'],
  'the logs of a request are told to its host alone; what a server logs by itself, to all hosts that share it',
  async () => {
    // Equal servers would share a process.
    const servers = [
      curious('one'),
      curious('two', { version: '2' }),
      curious('own', { version: '3' }, { sharing: 'per-host' }),
    ];
    const { gateway } = await gatewayWorld(servers, { rules: 'permissive' });
    const [ada, bob] = [await hostWithLogs(), await hostWithLogs()];
    await call(ada, 'one__log');
    await call(ada, 'own__murmur');
    await expect.poll(() => logsOf(ada)).toHaveLength(3);
    // A request to another server is under way meanwhile.
    const held = call(bob, 'two__hold');
    await call(ada, 'one__murmur');
    await expect.poll(() => logsOf(ada)).toHaveLength(4);
    await expect.poll(() => logsOf(bob)).toEqual(['one (server): a murmur']);
    expect(logsOf(ada)).toEqual([
      'one (server): a info',
      'one (server): a error',
      'own (server): a murmur',
      'one (server): a murmur',
    ]);
    await call(ada, 'two__release');
    await held;

    async function hostWithLogs(): Promise<LegacyHost> {
      const host = await legacyHost(gateway, { mode: 'all' });
      await host.request('logging/setLevel', { level: 'info' });
      return host;
    }
  },
);

async function call(host: LegacyHost, name: string): Promise<unknown> {
  return host.request('tools/call', { name, arguments: {} });
}

function logsOf({ notes }: LegacyHost): readonly unknown[] {
  return notes.flatMap(({ method, params }) => (method === 'notifications/message' ? [params['data']] : []));
}
