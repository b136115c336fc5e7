import { expect, test } from 'vitest';
import { startHub } from '../../test/contracts/running-hub.ts';
import { toyHub } from '../../test/contracts/toy-hub.ts';
import { waitFor } from '../../test/servers/start.ts';
import type { Approval, AuditRecord, HubEvent, ToolView } from '../hub/hub.ts';
import { connectHub } from './client.ts';
import { fetchSend } from './fetch-send.ts';

const tool: ToolView = {
  ref: 'toy/write',
  server: 'toy',
  name: 'write',
  risk: 'write',
  riskFrom: 'name',
  flags: [],
  pinned: false,
  definition: { name: 'write' },
};
const record: AuditRecord = {
  callId: 'call_1',
  at: 5,
  principal: 'you',
  requester: { kind: 'person', id: 'x' },
  server: 'toy',
  tool: 'write',
  risk: 'write',
  args: {},
  effect: 'allow',
  by: { kind: 'grant', id: 'grant_1' },
  durationMs: 1,
  outcome: 'ok',
  argsBytes: 2,
};

async function connected() {
  const toy = toyHub({ tools: [tool], records: [record, record, record], results: { res_1: 'one\ntwo' } });
  const running = await startHub(toy.hub);
  // The header of the client travels with fetch; two clients are two connections.
  const connect = () => connectHub(fetchSend({ url: running.address.url, token: running.token }));
  return { toy, running, hub: connect(), other: connect() };
}

test('everything that decides and tells reaches the hub over HTTP, and its answer comes back', async () => {
  const { toy, hub } = await connected();
  expect((await hub.tools.list({ search: 'wri' })).tools).toHaveLength(1);
  expect((await hub.tools.list({ search: 'no such' })).tools).toEqual([]);
  await hub.tools.setRisk('toy/write', 'destructive');
  expect((await hub.tools.audit()).servers[0]?.tools[0]).toMatchObject({
    risk: 'destructive',
    enabled: true,
  });
  await hub.tools.setRisk('toy/write', undefined);
  await hub.tools.setEnabled('toy/write', false);
  expect((await hub.tools.audit({ server: 'toy' })).servers[0]?.tools[0]).toMatchObject({
    risk: 'write',
    enabled: false,
  });
  await hub.tools.approve('toy/write', { hash: 'h' });
  expect(await hub.tools.render({ format: 'openai', names: 'server.tool' })).toMatchObject({ tokens: 7 });
  expect(await hub.policy.explain({ tool: 'toy/write', args: { a: 1 } })).toMatchObject({ effect: 'ask' });
  expect((await hub.policy.setDefaults({ call: { write: 'deny' } })).call).toMatchObject({
    read: 'allow',
    write: 'deny',
  });
  expect((await hub.policy.defaults()).call.write).toBe('deny');
  expect((await hub.policy.rules()).exists).toBe(true);
  const grant = await hub.grants.add({ tool: 'toy/write', args: { 'a.b': 'c/*' }, until: 9, session: true });
  expect(await hub.grants.list({ server: 'toy' })).toEqual([grant]);
  await hub.grants.revoke(grant.id);
  expect(await hub.grants.list()).toEqual([]);
  const page = await hub.audit.query({ server: 'toy', since: 1, limit: 2 });
  expect(page.records).toEqual([record, record]);
  const rest = await hub.audit.query({ limit: 2, ...(page.cursor ? { cursor: page.cursor } : {}) });
  expect(rest).toEqual({ records: [record] });
  await hub.audit.setRecorded('toy', false);
  expect(await hub.results.list()).toMatchObject([{ id: 'res_1' }]);
  expect(await hub.results.page('res_1', 1)).toMatchObject({ text: 'one\ntwo', pages: 1 });
  expect((await hub.results.grep('res_1', '^t')).matches).toMatchObject([{ line: 2 }]);
  expect((await hub.results.path('res_1', '$.a')).found).toEqual([{ path: '$.a', value: { a: 1 } }]);
  await hub.results.remove('res_1');
  expect(await hub.results.list()).toEqual([]);
  expect(toy.reached).toContain('audit.setRecorded');
});

test('a call that waits says so while it waits, and runs when somebody else allows it', async () => {
  const { hub, other } = await connected();
  const asked = Promise.withResolvers<Approval>();
  const call = { tool: 'toy/write', args: { text: 'hi' }, approval: 'wait' as const };
  const calling = hub.tools.call(call, { onApproval: asked.resolve });
  const { id, argsHash } = await asked.promise;
  expect(await other.approvals.list()).toMatchObject([{ id, args: { text: 'hi' } }]);
  expect(await other.approvals.answer(id, { effect: 'allow', argsHash })).toMatchObject({ kind: 'allowed' });
  expect((await calling).result['args']).toEqual({ text: 'hi' });
  await expect(other.approvals.get(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('whoever asked for a call over one connection cannot allow it over the same', async () => {
  const { hub, other } = await connected();
  const asked = Promise.withResolvers<Approval>();
  const calling = hub.tools.call({ tool: 'toy/write', approval: 'wait' }, { onApproval: asked.resolve });
  const refused = expect(calling).rejects.toMatchObject({
    code: 'denied',
    message: 'It was denied. Not on a Friday.',
  });
  const { id, argsHash, batch } = await asked.promise;
  await expect(hub.approvals.answer(id, { effect: 'allow', argsHash })).rejects.toMatchObject({
    code: 'denied',
  });
  const [outcome] = await other.approvals.answerBatch(batch, { effect: 'deny', note: 'Not on a Friday.' });
  expect(outcome).toMatchObject({ kind: 'denied' });
  await refused;
});

test('a person may answer their own question', async () => {
  const { hub } = await connected();
  const call = { tool: 'toy/write', approval: 'wait', requester: 'person' } as const;
  const result = await hub.tools.call(call, {
    onApproval: ({ id, argsHash }) => void hub.approvals.answer(id, { effect: 'allow', argsHash }),
  });
  expect(result.allowedBy).toBe('You allowed this call.');
});

test('a watcher sees that a call waits and what was answered', async () => {
  const { toy, hub, other } = await connected();
  const stop = new AbortController();
  const events = other.watch({ signal: stop.signal });
  const reading = (async (): Promise<HubEvent[]> => {
    const seen: HubEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.kind === 'approval-request') {
        const { id, argsHash } = event.approval;
        await other.approvals.answer(id, { effect: 'allow', argsHash });
      } else stop.abort();
    }
    return seen;
  })();
  await waitFor(() => toy.watchers() === 1);
  await hub.tools.call({ tool: 'toy/write', approval: 'wait' });
  expect((await reading).map(({ kind }) => kind)).toEqual(['approval-request', 'approval-answer']);
});

test('an answer that does not fit is refused at the door', async () => {
  const { hub, toy } = await connected();
  const wrong = { effect: 'perhaps', argsHash: 'x' } as unknown as { effect: 'allow'; argsHash: string };
  await expect(hub.approvals.answer('a', wrong)).rejects.toMatchObject({ code: 'usage' });
  expect(toy.reached).not.toContain('approvals.answer');
});

test('the API describes every new operation', async () => {
  const { running } = await connected();
  const answer = await fetch(new URL('/v1/openapi.json', running.address.url), {
    headers: { authorization: `Bearer ${running.token}` },
  });
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const names = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(names).toEqual(
    expect.arrayContaining([
      'servers.untrust',
      'tools.audit',
      'policy.explain',
      'grants.add',
      'approvals.answer',
    ]),
  );
});

test('a caller with a folder of its own is told apart there too', async () => {
  const root = toyHub();
  const seen: unknown[] = [];
  const inFolder = (folder: string, caller?: unknown): Promise<typeof root.hub> => {
    seen.push([folder, caller]);
    return Promise.resolve(root.hub);
  };
  const running = await startHub({ ...root.hub, in: inFolder });
  const send = fetchSend({ url: running.address.url, token: running.token });
  await connectHub(send, { folder: '/home/ada', kind: 'terminal' }).status();
  const id = expect.stringMatching(/^[\w-]{36}$/) as string;
  expect(seen).toEqual([['/home/ada', { kind: 'terminal', id }]]);
});
