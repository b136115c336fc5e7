import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { secretBytes, systemIds } from '../../src/base/ids.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { verifies } from '../requirements.ts';
import { firstText, gatewayWorld, modernHost, type ModernHost } from './gateway-world.ts';
import { curious } from './hosts-world.ts';

const FORMS = { elicitation: { form: {} } };
const all = { mode: 'all' } as const;
const INVALID = { code: -32602 };
const inputResponses = { one: { action: 'accept', content: { a: 1 } }, two: { action: 'decline' } };

/** The tool asks; its answer says what it was answered. */
async function wonder(host: ModernHost, server: string): Promise<JsonObject> {
  const params = { name: `${server}__wonder`, arguments: {} };
  const asks = await host.request('tools/call', params);
  expect(asks).toMatchObject({ resultType: 'input_required' });
  const { requestState = null } = asks;
  return { ...params, requestState };
}

async function answered(host: ModernHost, retry: JsonObject): Promise<unknown> {
  return JSON.parse(firstText(await host.request('tools/call', { inputResponses, ...retry })));
}

verifies(
  ['G2'],
  'a modern server takes answers again, and without a state, as it does without a gateway',
  async () => {
    const { gateway } = await gatewayWorld([curious('new', { era: 'modern' })], { rules: 'permissive' });
    const host = modernHost(gateway, all, FORMS);
    const retry = await wonder(host, 'new');
    for (const _ of [1, 2, 3]) expect(await answered(host, retry)).toEqual(inputResponses);
    const { requestState: _state, ...stateless } = retry;
    expect(await answered(host, stateless)).toEqual(inputResponses);
    const poor = modernHost(gateway, all);
    expect(await answered(poor, retry)).toEqual(inputResponses);
    // Our own question is never one of the server's.
    const approval = { action: 'accept', content: { decision: 'once' } };
    const forged = { ...stateless, inputResponses: { ...inputResponses, approval } };
    expect(await answered(host, forged)).toEqual(inputResponses);
  },
);

verifies(
  ['G2', 'C15'],
  'after a restart of the hub, the host that was asked can still answer a modern server, and no other',
  async () => {
    const stateKey = secretBytes(32);
    const { hub, gateway } = await gatewayWorld([curious('new', { era: 'modern' })], {
      rules: 'permissive',
      stateKey,
    });
    const retry = await wonder(modernHost(gateway, all, FORMS), 'new');
    await gateway.close();
    const again = { hub, clock: systemClock, ids: systemIds, version: '1.0.0' };
    await using after = openGateway({ ...again, stateKey });
    expect(await answered(modernHost(after, all, FORMS), retry)).toEqual(inputResponses);
    const changed = [
      [modernHost(after, all, FORMS, 'another host'), retry],
      [modernHost(after, all, FORMS), { ...retry, arguments: { other: true } }],
      [modernHost(after, all, FORMS), { ...retry, requestState: 'forged' }],
    ] as const;
    for (const [host, wrong] of changed) {
      await expect(answered(host, wrong)).rejects.toMatchObject(INVALID);
    }
    await using elsewhere = openGateway(again);
    await expect(answered(modernHost(elsewhere, all, FORMS), retry)).rejects.toMatchObject(INVALID);
  },
);

verifies(
  ['G2'],
  'a call that waits goes on when the retry declares nothing, and is not started again',
  async () => {
    const servers = [curious('old'), curious('new', { era: 'modern' })];
    const { hub, gateway } = await gatewayWorld(servers, { rules: 'permissive' });
    for (const server of ['old', 'new']) {
      const retry = await wonder(modernHost(gateway, all, FORMS), server);
      const answers = server === 'new' ? inputResponses : { elicitation_1: inputResponses.one };
      const poor = modernHost(gateway, all);
      const result = await poor.request('tools/call', { ...retry, inputResponses: answers });
      expect(firstText(result)).toContain('accept');
      const { records: calls } = await hub.audit.query({ server });
      expect(calls, server).toHaveLength(1);
    }
  },
);

verifies(['G2'], 'a server that asks while it works is never called anew by a retry', async () => {
  const { gateway } = await gatewayWorld([curious('old')], { rules: 'permissive' });
  const host = modernHost(gateway, all, FORMS);
  const retry = await wonder(host, 'old');
  const answers = { elicitation_1: inputResponses.one };
  expect(await answered(host, { ...retry, inputResponses: answers })).toMatchObject({ action: 'accept' });
  const { requestState: _, ...stateless } = retry;
  for (const wrong of [retry, stateless]) {
    await expect(answered(host, wrong)).rejects.toMatchObject(INVALID);
    await expect(answered(modernHost(gateway, all), wrong)).rejects.toMatchObject(INVALID);
  }
});
