import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { startFront } from '../contracts/http-host.ts';
import { verifies } from '../requirements.ts';
import { gatewayWorld } from './gateway-world.ts';
import { everythingCommand } from './plug-command.ts';

const TEST_MS = 60_000;

verifies(
  ['G2'],
  'a modern host with roots gets all progress of a server that asks for them in the middle of the call',
  async () => {
    const [command = '', ...args] = everythingCommand();
    const endpoint = { kind: 'stdio', command, args, env: {} } as const;
    const everything = defineServer({ id: 'everything', endpoint });
    const { gateway } = await gatewayWorld([everything], { rules: 'permissive' });
    const { url } = await startFront(gateway);
    const client = new Client(
      { name: 'progress', version: '1' },
      { capabilities: { roots: {} }, versionNegotiation: { mode: 'auto' } },
    );
    let rounds = 0;
    client.setRequestHandler('roots/list', () => {
      rounds += 1;
      return { roots: [{ uri: 'file:///home/ada/work' }] };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/s/everything`)));
    const heard: number[] = [];
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
      {
        onprogress: ({ progress, total }) => {
          // The client adds a note of its own for each round, without a total.
          if (total !== undefined) heard.push(progress);
        },
      },
    );
    await client.close();
    expect(rounds).toBeGreaterThan(0);
    expect(heard).toEqual([1, 2, 3, 4]);
  },
  TEST_MS,
);
