import { expect, onTestFinished, test } from 'vitest';
import { recordedHub, type RecordedHub } from '../../test/contracts/recorded-hub.ts';
import { openMemoryHub, startHub } from '../../test/contracts/running-hub.ts';
import { played, reading, writing, type Played } from '../../test/scenarios/calls-played.ts';
import { waitFor } from '../../test/servers/start.ts';
import type { Approval, ApprovalEnd, Hub, HubEvent } from '../hub/hub.ts';
import { LOCAL } from '../hub/principal.ts';
import type { Caller } from './caller.ts';
import { connectHub } from './client.ts';
import { fetchSend } from './fetch-send.ts';
import { operationNames } from './routes.ts';

const big = { lines: { bytes: 120_000, last: 'the needle' } };
const CREATE = 'notes/create_note';

interface World {
  readonly recorded: RecordedHub;
  readonly running: Awaited<ReturnType<typeof startHub>>;
  readonly notes: Played;
  readonly hub: Hub;
  readonly other: Hub;
}

/** A hub behind its port with two clients: the header of each travels with fetch. */
async function connected(): Promise<World> {
  const recorded = recordedHub();
  const running = await startHub(recorded.open);
  const connect = (): Hub => {
    const hub = connectHub(fetchSend({ url: running.address.url, token: running.token }));
    onTestFinished(() => hub.close());
    return hub;
  };
  const notes = played('notes', writing(), reading('get_big', big));
  const hub = connect();
  await hub.servers.add({ definition: notes.definition });
  return { recorded, running, notes, hub, other: connect() };
}

test('tools, rules, grants, records and results are reached over HTTP, and their answers come back', async () => {
  const { hub, other } = await connected();
  const audited = async (server?: string): Promise<unknown> => {
    const { servers } = await hub.tools.audit(server === undefined ? {} : { server });
    return servers[0]?.tools.find(({ ref }) => ref === CREATE);
  };
  expect((await hub.tools.list({ search: 'create' })).tools.map(({ ref }) => ref)).toContain(CREATE);
  expect((await hub.tools.list({ search: 'zzzzqqqq' })).tools).toEqual([]);
  await hub.tools.setRisk({ ref: CREATE, risk: 'destructive' });
  expect(await audited()).toMatchObject({ risk: 'destructive', riskFrom: 'override', enabled: true });
  await hub.tools.setRisk({ ref: CREATE });
  await hub.tools.setEnabled({ ref: CREATE, enabled: false });
  expect(await audited('notes')).toMatchObject({ risk: 'write', enabled: false });
  await hub.tools.setEnabled({ ref: CREATE, enabled: true });
  await hub.tools.approve({ ref: CREATE });
  expect(await audited()).toMatchObject({ pinned: true });
  const rendered = await hub.tools.render({ format: 'openai', names: 'server.tool' });
  expect(rendered.tokens).toBeGreaterThan(0);
  const explained = await hub.policy.explain({ tool: CREATE, args: { a: 1 } });
  expect(explained).toMatchObject({ effect: 'ask', by: { kind: 'default', path: 'call.write' } });
  expect((await hub.policy.setDefaults({ call: { read: 'allow' } })).call).toMatchObject({
    read: 'allow',
    write: 'ask',
  });
  expect((await hub.policy.defaults()).call.read).toBe('allow');
  expect((await hub.policy.rules()).problems).toEqual([]);
  const until = Date.now() + 60_000;
  const grant = await hub.grants.add({ tool: CREATE, args: { 'a.b': 'c/*' }, until, session: true });
  expect(await hub.grants.list({ server: 'notes' })).toEqual([grant]);
  expect(grant).toMatchObject({ until, session: true, scope: { pattern: { 'a.b': 'c/*' } } });
  await hub.grants.revoke({ id: grant.id });
  expect(await hub.grants.list()).toEqual([]);

  await hub.servers.trust({ id: 'notes' });
  const calls = [
    await hub.tools.call({ tool: 'notes/get_big' }),
    await other.tools.call({ tool: 'notes/get_big' }),
  ];
  const page = await hub.audit.query({ server: 'notes', since: 1, limit: 1 });
  const rest = await hub.audit.query({ server: 'notes', limit: 1, cursor: page.cursor ?? '' });
  expect([page, rest].flatMap(({ records }) => records.map(({ callId }) => callId))).toEqual(
    calls.map(({ callId }) => callId).toReversed(),
  );
  expect(await hub.audit.verify()).toMatchObject({ intact: true, end: { hash: expect.any(String) } });
  await hub.audit.setRecorded({ server: 'notes', recorded: false });
  const id = calls[0]?.handle?.id ?? '';
  expect((await hub.results.list()).map((each) => each.id)).toContain(id);
  expect(await hub.results.page({ id, page: 1 })).toMatchObject({ pages: expect.any(Number), page: 1 });
  expect((await hub.results.grep({ id, pattern: '^the n' })).matches).toMatchObject([{ text: 'the needle' }]);
  const path = '$.content[0].type';
  expect((await hub.results.path({ id, path })).found).toMatchObject([{ value: 'text' }]);
  await hub.results.remove({ id });
  expect((await hub.results.list()).map((each) => each.id)).not.toContain(id);
});

test('a call that waits says so while it waits, and runs when another client allows it', async () => {
  const { hub, other, notes } = await connected();
  const asked = Promise.withResolvers<Approval>();
  const call = { tool: CREATE, args: { text: 'hi' }, approval: 'wait' as const };
  const ends: ApprovalEnd[] = [];
  const calling = hub.tools.call(call, {
    onApproval: asked.resolve,
    onApprovalEnd: (end) => ends.push(end),
  });
  const { id, argsHash } = await asked.promise;
  expect(await other.approvals.list()).toMatchObject([{ id, args: { text: 'hi' } }]);
  expect(ends).toEqual([]);
  expect(notes.calls()).toEqual([]);
  expect(await other.approvals.answer({ id, effect: 'allow', argsHash })).toMatchObject({ kind: 'allowed' });
  expect((await calling).isError).toBe(false);
  expect(ends).toMatchObject([{ outcome: 'allowed' }]);
  expect(notes.calls()).toMatchObject([{ args: { text: 'hi' } }]);
  expect(await other.approvals.list()).toEqual([]);
});

test('a client that asked for a call cannot allow it over the same connection', async () => {
  const { hub, other, notes } = await connected();
  const asked = Promise.withResolvers<Approval>();
  const calling = hub.tools.call({ tool: CREATE, approval: 'wait' }, { onApproval: asked.resolve });
  const refused = expect(calling).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('Not on a Friday.'),
  });
  const { id, argsHash, batch } = await asked.promise;
  await expect(hub.approvals.answer({ id, effect: 'allow', argsHash })).rejects.toMatchObject({
    code: 'denied',
  });
  const [outcome] = await other.approvals.answerBatch({ batch, effect: 'deny', note: 'Not on a Friday.' });
  expect(outcome).toMatchObject({ kind: 'denied' });
  await refused;
  expect(notes.calls()).toEqual([]);
});

test('a person may answer their own question', async () => {
  const { hub, notes } = await connected();
  const call = { tool: CREATE, approval: 'wait', requester: 'person' } as const;
  const { allowedBy } = await hub.tools.call(call, {
    onApproval: ({ id, argsHash }) => void hub.approvals.answer({ id, effect: 'allow', argsHash }),
  });
  expect(allowedBy).toMatch(/appr_/);
  expect(notes.calls()).toHaveLength(1);
});

test('a watcher sees that a call waits and what was answered', async () => {
  const { recorded, hub, other } = await connected();
  const stop = new AbortController();
  const events = other.watch({ signal: stop.signal });
  const reading = (async (): Promise<HubEvent['kind'][]> => {
    const seen: HubEvent['kind'][] = [];
    for await (const event of events) {
      if (event.kind.startsWith('approval-')) seen.push(event.kind);
      if (event.kind === 'approval-request') {
        const { id, argsHash } = event.approval;
        await other.approvals.answer({ id, effect: 'allow', argsHash });
      } else if (event.kind === 'approval-answer') stop.abort();
    }
    return seen;
  })();
  await waitFor(() => recorded.watchers() === 1);
  await hub.tools.call({ tool: CREATE, approval: 'wait' });
  expect(await reading).toEqual(['approval-request', 'approval-answer']);
});

test('an answer that does not fit is refused at the door', async () => {
  const { hub, recorded } = await connected();
  const wrong = { effect: 'perhaps', argsHash: 'x' } as unknown as { effect: 'allow'; argsHash: string };
  await expect(hub.approvals.answer({ id: 'a', ...wrong })).rejects.toMatchObject({ code: 'usage' });
  expect(recorded.reached).not.toContain('approvals.answer');
});

test('the API describes every operation', async () => {
  const { address, token } = await startHub(recordedHub().open);
  const answer = await fetch(new URL('/v1/openapi.json', address.url), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const names = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(names.toSorted()).toEqual(operationNames.toSorted());
  expect(names.length).toBeGreaterThan(100);
});

test('a caller with a folder of its own is told apart there too', async () => {
  const root = await openMemoryHub();
  const seen: unknown[] = [];
  const inFolder = (folder: string, caller?: Caller): Promise<Hub> => {
    seen.push([folder, caller]);
    return root.in(folder, caller);
  };
  const running = await startHub({ ...root, in: inFolder });
  const send = fetchSend({ url: running.address.url, token: running.token });
  await connectHub(send, { folder: '/home/ada', kind: 'terminal' }).status();
  const id = expect.stringMatching(/^[\w-]{36}$/) as string;
  expect(seen).toEqual([['/home/ada', { kind: 'terminal', id, principal: LOCAL }]]);
});
