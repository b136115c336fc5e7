import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { openTestHub, remoteServer, signIn } from '../sign-in/signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { skippingClock } from './calls-clock.ts';
import { played, reading, writing } from './calls-played.ts';
import { withHub } from './lifecycle-hub.ts';
import { isAlive, newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

verifies(
  ['L6', 'P1'],
  'the record of a call says who, for which host, what, why it was let through, how long, how large, how it ended',
  async () => {
    const notes = played('notes', writing('create_note', { text: 'done' }));
    await withHub({ approve: 'nobody' }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      const grant = await hub.grants.add({ tool: 'notes/create_note' });
      const host = await hub.hosts.attach({ name: 'Some Editor', handlers: {} });
      const args = { text: 'x'.repeat(50), api_key: 'sk-do-not-write-this-down' };
      const { callId } = await hub.tools.call({ tool: 'notes/create_note', args, host: host.id });
      const { records } = await hub.audit.query();
      expect(records).toHaveLength(1);
      expect(records[0]).toMatchObject({
        callId,
        principal: 'local',
        requester: { kind: 'host', id: host.id, name: 'Some Editor' },
        server: 'notes',
        tool: 'create_note',
        risk: 'write',
        effect: 'allow',
        by: { kind: 'grant', id: grant.id },
        outcome: 'ok',
        args: { text: 'x'.repeat(50) },
      });
      const [record] = records;
      expect(record?.at).toBeGreaterThan(0);
      expect(record?.durationMs).toBeGreaterThan(0);
      expect(record?.argsBytes).toBeGreaterThan(50);
      expect(record?.resultBytes).toBeGreaterThan(3);
      expect(JSON.stringify(record)).not.toContain('sk-do-not-write-this-down');
      // The server itself got what was sent.
      expect(notes.calls()[0]?.args).toEqual(args);
    });
  },
  LONG_MS,
);

verifies(
  ['L6', 'P5', 'V8'],
  'card and record say as whom a call goes out, also for the default account',
  async () => {
    await using authorization = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: authorization.url });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub, { server: 'site', account: 'home' });
    await authorization.post('/_person?name=bob');
    await signIn(hub, { server: 'site', account: 'work' });
    const cards: (string | undefined)[] = [];
    for (const account of [undefined, 'home', 'work']) {
      const request = { tool: 'mcp__site__echo', args: { message: 'x' } };
      await hub.tools.call(
        { ...request, ...(account === undefined ? {} : { account }) },
        { onApproval: (card) => cards.push(card.account) },
      );
    }
    expect(cards).toEqual(['home (@alice)', 'home (@alice)', 'work (@bob)']);
    const { records } = await hub.audit.query();
    expect(records.map(({ account }) => account)).toEqual(cards.toReversed());
  },
  LONG_MS,
);

verifies(
  ['L6'],
  'records are asked for by server, tool, outcome and time, page by page; what a server is called with can be left out; old ones go',
  async () => {
    const clock = skippingClock();
    const one = played('one', reading('get_a'), reading('get_b', { result: { content: [], isError: true } }));
    const two = played('two', reading('get_a'));
    await withHub({ clock, limits: { auditPruneMs: 50 } }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [one.definition, two.definition] });
      for (const tool of ['one/get_a', 'one/get_b', 'two/get_a']) await hub.tools.call({ tool });
      const since = clock.now() + 1;
      clock.skip(DAY_MS);
      await hub.tools.call({ tool: 'one/get_a' });
      const tools = async (query: Parameters<typeof hub.audit.query>[0]): Promise<readonly string[]> =>
        (await hub.audit.query(query)).records.map(({ server, tool }) => `${server}/${tool}`);
      expect(await tools({})).toEqual(['one/get_a', 'two/get_a', 'one/get_b', 'one/get_a']);
      expect(await tools({ server: 'two' })).toEqual(['two/get_a']);
      expect(await tools({ tool: 'get_b' })).toEqual(['one/get_b']);
      expect(await tools({ outcome: 'tool_error' })).toEqual(['one/get_b']);
      expect(await tools({ since })).toEqual(['one/get_a']);
      const first = await hub.audit.query({ limit: 3 });
      const cursor = first.cursor ?? '';
      expect(await tools({ limit: 3, cursor })).toEqual(['one/get_a']);

      // Nothing is called without a record: switched off, it says that, and not with what.
      await hub.audit.setRecorded({ server: 'two', recorded: false });
      await hub.tools.call({ tool: 'two/get_a', args: { diary: 'dear me' } });
      await hub.audit.setRecorded({ server: 'two', recorded: true });
      await hub.tools.call({ tool: 'two/get_a', args: { q: 1 } });
      const { records } = await hub.audit.query({ server: 'two' });
      expect(records.map(({ args, leftOut }) => ({ args, leftOut }))).toEqual([
        { args: { q: 1 }, leftOut: undefined },
        { args: {}, leftOut: true },
        { args: {}, leftOut: undefined },
      ]);
      expect(two.calls()).toHaveLength(3);
      // After ninety days the oldest go by themselves.
      clock.skip(89.5 * DAY_MS);
      await waitFor(async () => (await tools({})).length === 3, 5_000);
    });
  },
  LONG_MS,
);

async function addNotes(plug: Plug): Promise<ReturnType<typeof played>> {
  const notes = played('notes', reading(), writing());
  expect((await plug('add', 'notes', '--yes', '--', ...notes.command)).code).toBe(0);
  return notes;
}

verifies(
  ['L6'],
  'plug audit shows, exports as JSON lines and CSV, and leaves out what a server is called with while it is switched off',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    await addNotes(plug);
    await plug('call', 'notes/get_note', 'q==SUM(1)', 'token=tok-never-shown');
    expect((await plug('audit', 'off', 'notes')).code).toBe(0);
    await plug('call', 'notes/create_note', 'text=not for the record');
    expect((await plug('audit', 'on', 'notes')).code).toBe(0);
    await plug('call', 'notes/create_note', 'text=a "quoted", text');
    const shown = await plug('audit');
    expect(shown.stdout).toMatch(/notes\/get_note/);
    expect(shown.stderr + shown.stdout).toContain('Hosts that save conversations');
    const [jsonl, csv] = [`${plug.cwd}/calls.jsonl`, `${plug.cwd}/calls.csv`];
    expect((await plug('audit', '--export', jsonl)).code).toBe(0);
    expect((await plug('audit', '--export', csv, '--format', 'csv')).code).toBe(0);
    const lines = readFileSync(jsonl, 'utf8').trim().split('\n');
    const records = lines.map((line) => JSON.parse(line) as { tool: string; requester: { kind: string } });
    expect(records.map(({ tool }) => tool)).toEqual(['create_note', 'create_note', 'get_note']);
    expect(lines.join('\n')).not.toContain('not for the record');
    expect(shown.stdout).toContain('(left out)');
    const rows = readFileSync(csv, 'utf8').trim().split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/^at,callId,principal,/);
    expect(rows[1]).toContain('""a \\""quoted\\"", text""');
    expect(readFileSync(csv, 'utf8') + readFileSync(jsonl, 'utf8')).not.toContain('tok-never-shown');
    // What is there is never written over.
    expect((await plug('audit', '--export', csv)).code).not.toBe(0);
    expect((await plug.json('audit', '--tool', 'notes/get_note'))['records']).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['L6'],
  'the record of a call that was answered survives a hub that is killed at that moment',
  async () => {
    const home = temporaryFolder();
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { home, hub: 'process' });
    const notes = await addNotes(plug);
    const { pid } = (await plug.json('hub', 'status')) as { pid: number };
    const { callId } = await plug.json('call', 'notes/create_note', 'text=last words');
    process.kill(pid, 'SIGKILL');
    await waitFor(() => !isAlive(pid));
    const { records } = (await plug.json('audit')) as { records: readonly { callId: string }[] };
    expect(records).toMatchObject([{ callId, outcome: 'ok', args: { text: 'last words' } }]);
    expect(notes.calls()).toHaveLength(1);
  },
  LONG_MS,
);
