import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { played } from './calls-played.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';
import { LOCAL } from '../../src/hub/principal.ts';

const notes = (): ReturnType<typeof played> =>
  played('notes', { name: 'create_note', inputSchema: { type: 'object' }, plays: { text: 'written' } });

const CALL = { name: 'notes__create_note', arguments: { text: 'hi' } };
const scope = { mode: 'all' } as const;

const choose =
  (decision: string, more: JsonObject = {}) =>
  (): JsonObject => ({ action: 'accept', content: { decision, ...more } });

verifies(
  ['G4'],
  'a host that can show a form asks its person there, and the answer reaches the same call',
  async () => {
    const server = notes();
    const { gateway } = await gatewayWorld([server.definition]);
    const host = await legacyHost(gateway, scope, { elicitation: {} }, choose('once'));
    expect(firstText(await host.request('tools/call', CALL))).toBe('written');
    expect(host.asked.map(({ method }) => method)).toEqual(['elicitation/create']);
    const form = host.asked[0]?.params ?? {};
    expect(form['message']).toContain('notes/create_note');
    expect(form['message']).toContain('text: "hi"');
    expect(server.calls()).toHaveLength(1);
    // Once was once.
    await host.request('tools/call', CALL);
    expect(host.asked).toHaveLength(2);
  },
);

verifies(['G4'], 'what the person chose to remember is not asked again, in another host either', async () => {
  const server = notes();
  const { gateway, hub } = await gatewayWorld([server.definition]);
  const host = await legacyHost(gateway, scope, { elicitation: {} }, choose('tool'));
  await host.request('tools/call', CALL);
  const other = modernHost(gateway, scope);
  expect(firstText(await other.request('tools/call', CALL))).toBe('written');
  expect(host.asked).toHaveLength(1);
  expect(await hub.grants.list()).toHaveLength(1);
});

verifies(
  ['G4'],
  'a no, a yes with a note, a closed form and nonsense all mean no, and nothing runs',
  async () => {
    const answers: readonly JsonObject[] = [
      { action: 'accept', content: { decision: 'no', note: 'use the other notebook' } },
      { action: 'accept', content: { decision: 'once', note: 'no, use the other notebook' } },
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { decision: 'arguments' } },
      { action: 'accept', content: {} },
      {},
    ];
    const server = notes();
    const { gateway } = await gatewayWorld([server.definition]);
    for (const answer of answers) {
      const host = await legacyHost(gateway, scope, { elicitation: { form: {} } }, () => answer);
      const result = await host.request('tools/call', CALL);
      expect(result['isError']).toBe(true);
      if (answer['content'] && isObject(answer['content']) && answer['content']['note']) {
        expect(firstText(result)).toContain('use the other notebook');
      }
    }
    expect(server.calls()).toEqual([]);
  },
);

verifies(
  ['G4', 'G2'],
  'a modern host gets the question as input that is required, and its retry runs the call',
  async () => {
    const server = notes();
    const { gateway } = await gatewayWorld([server.definition]);
    const host = modernHost(gateway, scope, { elicitation: {} });
    const first = await host.request('tools/call', CALL);
    expect(first['resultType']).toBe('input_required');
    expect(server.calls()).toEqual([]);
    const { requestState } = first;
    const inputResponses = { approval: { action: 'accept', content: { decision: 'once' } } };
    const done = await host.request('tools/call', { ...CALL, requestState, inputResponses });
    expect(done['resultType']).toBe('complete');
    expect(firstText(done)).toBe('written');
    expect(server.calls()).toHaveLength(1);
    await expect(host.request('tools/call', { ...CALL, requestState, inputResponses })).rejects.toThrow(
      /requestState/,
    );
    expect(server.calls()).toHaveLength(1);
  },
);

verifies(
  ['G4'],
  'a host that cannot ask is kept waiting with signs of life that name a link and a command',
  async () => {
    const server = notes();
    const limits = { waitingNoteMs: 20 };
    const { gateway, hub } = await gatewayWorld([server.definition], { limits, link: 'http://hub/approve' });
    const host = await legacyHost(gateway, scope);
    const call = host.request('tools/call', { ...CALL, _meta: { progressToken: 'p' } });
    await waitFor(() => host.notes.length >= 3);
    const [approval] = await hub.approvals.list();
    const messages = host.notes.map(({ method, params }) => ({ method, ...params }));
    for (const note of messages) {
      expect(note).toMatchObject({ method: 'notifications/progress', progressToken: 'p' });
      expect(note).toMatchObject({ message: expect.stringContaining(`http://hub/approve/${approval?.id}`) });
      expect(note).toMatchObject({ message: expect.stringContaining(`plug approve ${approval?.id}`) });
    }
    const steps = host.notes.map(({ params }) => Number(params['progress']));
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
    expect(server.calls()).toEqual([]);
    const answering = hub.as({ id: 'somebody-else', kind: 'terminal', principal: LOCAL });
    await answering.approvals.answer({
      id: approval?.id ?? '',
      effect: 'allow',
      argsHash: approval?.argsHash ?? '',
    });
    expect(firstText(await call)).toBe('written');
    const heard = host.notes.length;
    await systemClock.sleep(60);
    expect(host.notes).toHaveLength(heard);
  },
);

test('an answer elsewhere withdraws the form, and the call runs once', async () => {
  const server = notes();
  const { gateway, hub } = await gatewayWorld([server.definition]);
  let withdrawn = false;
  const host = await legacyHost(
    gateway,
    scope,
    { elicitation: {} },
    (_method, _params, signal) =>
      new Promise<JsonObject>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          withdrawn = true;
          reject(new Error('withdrawn'));
        });
      }),
  );
  const call = host.request('tools/call', CALL);
  await waitFor(async () => (await hub.approvals.list()).length === 1);
  const [approval] = await hub.approvals.list();
  const answering = hub.as({ id: 'somebody-else', kind: 'terminal', principal: LOCAL });
  await answering.approvals.answer({
    id: approval?.id ?? '',
    effect: 'allow',
    argsHash: approval?.argsHash ?? '',
  });
  expect(firstText(await call)).toBe('written');
  expect(withdrawn).toBe(true);
  expect(server.calls()).toHaveLength(1);
});

verifies(
  ['G4'],
  'a host that can neither ask nor be kept waiting is told in time how to allow it',
  async () => {
    const server = notes();
    let expire: (() => void) | undefined;
    const clock: Clock = {
      ...systemClock,
      after: (ms, run) => {
        if (ms !== 45_000) return systemClock.after(ms, run);
        expire = run;
        return () => undefined;
      },
    };
    const { gateway, hub } = await gatewayWorld([server.definition], { clock });
    const host = modernHost(gateway, scope);
    const call = host.request('tools/call', CALL);
    await waitFor(() => expire !== undefined);
    expire?.();
    const result = await call;
    expect(result).toMatchObject({ isError: true, resultType: 'complete' });
    expect(firstText(result)).toContain('plug grants add notes/create_note');
    expect(server.calls()).toEqual([]);
    expect(await hub.approvals.list()).toEqual([]);
  },
);

verifies(['G4'], 'the host that asks cannot answer by any other way than its person’s form', async () => {
  const server = notes();
  const { gateway, hub } = await gatewayWorld([server.definition]);
  const host = await legacyHost(gateway, scope);
  const call = host.request('tools/call', { ...CALL, _meta: { progressToken: 1 } });
  await waitFor(async () => (await hub.approvals.list()).length === 1);
  const [approval] = await hub.approvals.list();
  const through = approval?.requester.kind === 'host' ? approval.requester.through : undefined;
  expect(through).toMatch(/^gateway_/);
  const itself = hub.as({ id: through ?? '', kind: 'library', principal: LOCAL });
  const answer = { effect: 'allow', argsHash: approval?.argsHash ?? '' } as const;
  await expect(itself.approvals.answer({ id: approval?.id ?? '', ...answer })).rejects.toMatchObject({
    code: 'denied',
  });
  const somebody = hub.as({ id: 'somebody-else', kind: 'terminal', principal: LOCAL });
  await somebody.approvals.answer({ id: approval?.id ?? '', ...answer, effect: 'deny' });
  expect((await call)['isError']).toBe(true);
  expect(server.calls()).toEqual([]);
});
