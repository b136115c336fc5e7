import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { RpcError } from '../../src/gateway/rpc.ts';
import { verifies } from '../requirements.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';
import { curious } from './hosts-world.ts';

const one = { server: 'one' } as const;
const BOTH = ['legacy', 'modern'] as const;

verifies(['G2'], 'a host’s refusal reaches the server with its own code, message and data', async () => {
  const { gateway } = await gatewayWorld([curious('one')], { rules: 'permissive' });
  const refusals = [
    new RpcError(-32601, 'Method not found'),
    new RpcError(-1, 'The person said no.', { at: 'dialog' }),
  ];
  const host = await legacyHost(gateway, one, { elicitation: {} }, () => {
    throw refusals.shift() ?? new Error('asked too often');
  });
  const wonder = async (): Promise<unknown> =>
    JSON.parse(firstText(await host.request('tools/call', { name: 'wonder', arguments: {} })));
  expect(await wonder()).toEqual({ code: -32601, message: 'Method not found' });
  expect(await wonder()).toEqual({ code: -1, message: 'The person said no.', data: { at: 'dialog' } });
});

verifies(
  ['G2'],
  'where a server asks in its result, the call fails with what its host said, and nothing of ours is blamed',
  async () => {
    const { gateway } = await gatewayWorld([curious('new', { era: 'modern' })], { rules: 'permissive' });
    const host = await legacyHost(gateway, { server: 'new' }, { elicitation: {} }, () => {
      throw new RpcError(-1, 'The person said no.');
    });
    const failed = await host.request('tools/call', { name: 'wonder', arguments: {} });
    expect(failed).toMatchObject({
      isError: true,
      _meta: { 'plugboard/error': { code: 'unavailable', owner: 'you' } },
    });
    expect(firstText(failed)).toContain('The person said no.');
  },
);

verifies(
  ['G2'],
  'at the endpoint of one server, methods that we do not know reach it, and its own refusal comes back',
  async () => {
    for (const era of BOTH) {
      const { gateway } = await gatewayWorld([curious('one', { era })], { rules: 'permissive' });
      const hosts = [await legacyHost(gateway, one), modernHost(gateway, one)];
      const params = { shape: 'circle', _meta: { 'example/pen': 2 } };
      for (const host of hosts) {
        const drawn = await host.request('example/draw', params);
        expect(drawn).toMatchObject({ method: 'example/draw', given: params });
        await expect(host.request('example/erase', {})).rejects.toMatchObject({ code: -32601 });
      }
      expect([gateway.knows('example/draw', one), gateway.knows('example/draw', {})]).toEqual([true, false]);
    }
  },
);

verifies(
  ['G2', 'P9'],
  'in read-only mode, and where several servers could be meant, unknown methods are refused',
  async () => {
    const { hub, gateway } = await gatewayWorld([curious('one')], { rules: 'permissive' });
    for (const scope of [{ ...one, readOnly: true as const }, {}]) {
      const host = await legacyHost(gateway, scope);
      await expect(host.request('example/draw', {})).rejects.toMatchObject({ code: -32601 });
      await expect(modernHost(gateway, scope).request('example/draw', {})).rejects.toMatchObject({
        code: -32601,
      });
    }
    await hub.servers.setReadOnly({ id: 'one', readOnly: true });
    const host = await legacyHost(gateway, one);
    await expect(host.request('example/draw', {})).rejects.toMatchObject({ code: -32601 });
  },
);

verifies(
  ['G2'],
  'what a server says of itself beyond the protocol reaches the host, `_meta` included',
  async () => {
    for (const era of BOTH) {
      const { gateway } = await gatewayWorld([curious('one', { era })], { rules: 'permissive' });
      const said = { example: { color: 'red' }, _meta: { 'example/colors': [1, 2] } };
      expect((await legacyHost(gateway, one)).result).toMatchObject(said);
      expect(await modernHost(gateway, one).request('server/discover')).toMatchObject(said);
    }
  },
);

verifies(['G2'], 'fields of a call that we do not know reach its server beside the arguments', async () => {
  const servers = BOTH.map((era) => curious(era, { era }));
  const { gateway } = await gatewayWorld(servers, { rules: 'permissive' });
  const all = { mode: 'all' } as const;
  const sent = { arguments: { a: 1 }, priority: 'high', _meta: { 'example/pen': 2 } };
  for (const host of [await legacyHost(gateway, all), modernHost(gateway, all)]) {
    for (const era of BOTH) {
      const result = await host.request('tools/call', { name: `${era}__given`, ...sent });
      expect(JSON.parse(firstText(result)) as JsonObject).toMatchObject({ name: 'given', ...sent });
      // As some hosts write that there are none.
      const bare = await host.request('tools/call', { name: `${era}__given`, arguments: null });
      expect(JSON.parse(firstText(bare)) as JsonObject).toMatchObject({ arguments: {} });
    }
  }
});
