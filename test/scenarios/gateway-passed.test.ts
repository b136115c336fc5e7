import { expect } from 'vitest';
import { RpcError } from '../../src/gateway/rpc.ts';
import { verifies } from '../requirements.ts';
import { firstText, gatewayWorld, legacyHost } from './gateway-world.ts';
import { curious } from './hosts-world.ts';

verifies(['G2'], 'a host’s refusal reaches the server with its own code, message and data', async () => {
  const { gateway } = await gatewayWorld([curious('one')], { rules: 'permissive' });
  const refusals = [
    new RpcError(-32601, 'Method not found'),
    new RpcError(-1, 'The person said no.', { at: 'dialog' }),
  ];
  const host = await legacyHost(gateway, { server: 'one' }, { elicitation: {} }, () => {
    throw refusals.shift() ?? new Error('asked too often');
  });
  const wonder = async (): Promise<unknown> =>
    JSON.parse(firstText(await host.request('tools/call', { name: 'wonder', arguments: {} })));
  expect(await wonder()).toEqual({ code: -32601, message: 'Method not found' });
  expect(await wonder()).toEqual({ code: -1, message: 'The person said no.', data: { at: 'dialog' } });
});
