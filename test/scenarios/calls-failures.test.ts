import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect } from 'vitest';
import type { ErrorView } from '../../src/base/errors.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor } from '../servers/start.ts';
import { played, reading, writing } from './calls-played.ts';
import { QUICK, remote, withHub } from './lifecycle-hub.ts';
import { newPlug } from './plug-command.ts';
import { LOCAL } from '../../src/hub/principal.ts';

const LONG_MS = 60_000;

async function failureOf(hub: Hub, tool: string, timeoutMs?: number): Promise<ErrorView> {
  const request = { tool, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  return hub.tools.call(request).then(
    () => Promise.reject(new Error(`${tool} did not fail`)),
    (error: ErrorView) => error,
  );
}

verifies(
  ['L5', 'L6'],
  'a call that fails says whose fault it is, why, and what to do: sign-in, refused port, time limit, crash',
  async () => {
    await using locked = await startHttpFixture('unauthorized', { method: 'tools/call', token: 'right' });
    const notes = played(
      'notes',
      writing('create_note', { crashes: 100 }),
      reading('get_slow', { silent: true }),
      reading('get_error', { error: { code: -32_000, message: 'the database is on fire' } }),
    );
    await withHub({ limits: QUICK }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [
          notes.definition,
          remote('closed', `http://127.0.0.1:${await freePort()}/mcp`),
          remote('locked', locked.url),
        ],
      });
      expect(await failureOf(hub, 'closed/anything')).toMatchObject({
        code: 'unreachable',
        server: 'closed',
        message: expect.stringMatching(/listens/) as unknown,
        next: expect.stringMatching(/[Ss]tart the service/) as unknown,
      });
      expect(await failureOf(hub, 'locked/echo')).toMatchObject({
        code: 'sign_in_needed',
        owner: 'you',
        remedy: { do: 'edit-server', server: 'locked', field: 'headers.Authorization' },
      });
      const slow = await failureOf(hub, 'notes/get_slow', 150);
      expect(slow).toMatchObject({ code: 'call_timeout', owner: 'server' });
      expect(slow.next).toMatch(/plug logs notes/);
      expect(await failureOf(hub, 'notes/get_error')).toMatchObject({
        code: 'server_error',
        owner: 'server',
        message: expect.stringContaining('the database is on fire') as unknown,
        next: expect.any(String) as unknown,
      });
      const crash = await failureOf(hub, 'notes/create_note');
      expect(crash).toMatchObject({ code: 'crashed', owner: 'server', next: 'plug logs notes' });
      const { records } = await hub.audit.query({ server: 'notes' });
      expect(records.map(({ tool, outcome, error }) => [tool, outcome, error?.code])).toEqual([
        ['create_note', 'failed', 'crashed'],
        ['get_error', 'failed', 'server_error'],
        ['get_slow', 'timed_out', 'call_timeout'],
      ]);
    });
  },
  LONG_MS,
);

verifies(
  ['L5'],
  'a program that is missing and a tool that does not exist are told at the command line, with the next command',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    const notes = played(
      'notes',
      reading(),
      reading('get_error', { result: { content: [], isError: true } }),
    );
    expect((await plug('add', 'notes', '--yes', '--', ...notes.command)).code).toBe(0);
    await plug('add', 'ghost', '--yes', '--', 'no-such-program-anywhere');
    const missing = await plug('--json', 'call', 'ghost/anything');
    expect(missing.code).not.toBe(0);
    const { error } = JSON.parse(missing.stdout) as { error: ErrorView };
    expect(error).toMatchObject({ owner: 'you', next: expect.any(String) as unknown });
    const typo = await plug('call', 'notes/get_nte');
    expect(typo.code).toBe(6);
    expect(typo.stderr).toMatch(/get_note/);
    expect(typo.stderr).toMatch(/next +plug tools notes|did you mean/i);
    expect((await plug('call', 'notes/get_error')).code).toBe(1);
  },
  LONG_MS,
);

verifies(
  ['L7', 'L6'],
  'a read whose connection is lost is made once more, a write never',
  async () => {
    const notes = played(
      'notes',
      reading('get_note', { crashes: 1, text: 'second try' }),
      reading('get_worse', { crashes: 100 }),
      writing('create_note', { crashes: 1 }),
    );
    await withHub({ limits: QUICK }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      const times = (name: string): number => notes.calls().filter((call) => call.name === name).length;
      const { result } = await hub.tools.call({ tool: 'notes/get_note' });
      expect(result['content']).toMatchObject([{ text: 'second try' }]);
      expect(times('get_note')).toBe(2);
      await expect(hub.tools.call({ tool: 'notes/create_note' })).rejects.toMatchObject({ code: 'crashed' });
      expect(times('create_note')).toBe(1);
      await expect(hub.tools.call({ tool: 'notes/get_worse' })).rejects.toMatchObject({ code: 'crashed' });
      expect(times('get_worse')).toBe(2);
      const { records } = await hub.audit.query();
      expect(records.map(({ tool, retries, outcome }) => [tool, retries ?? 0, outcome])).toEqual([
        ['get_worse', 1, 'failed'],
        ['create_note', 0, 'failed'],
        ['get_note', 1, 'ok'],
      ]);
    });
  },
  LONG_MS,
);

verifies(
  ['L8'],
  'every call is shown as it goes: using, waiting, completed, failed, timed out, cancelled, refused',
  async () => {
    const notes = played(
      'notes',
      writing(),
      writing('create_bad', { result: { content: [], isError: true } }),
      writing('create_slow', { silent: true }),
    );
    await withHub({ approve: 'nobody' }, async ({ hub, seen }) => {
      await hub.servers.add({ definition: notes.definition });
      const shown = (tool: string): readonly string[] =>
        seen.flatMap((event) =>
          event.kind === 'call' && event.call.tool === tool ? [event.call.state] : [],
        );
      const person = hub.as({ id: 'somebody', kind: 'terminal', principal: LOCAL });
      await hub.tools.call(
        { tool: 'notes/create_note', approval: 'wait' },
        {
          onApproval: ({ id, argsHash }) =>
            void person.approvals.answer({ id, effect: 'allow', argsHash, remember: 'tool' }),
        },
      );
      await waitFor(() => shown('create_note').length === 4);
      expect(shown('create_note')).toEqual(['using', 'waiting', 'using', 'completed']);
      await expect(hub.tools.call({ tool: 'notes/create_bad' })).rejects.toThrow();
      await hub.grants.add({ tool: 'notes/create_bad' });
      await hub.grants.add({ tool: 'notes/create_slow' });
      await hub.tools.call({ tool: 'notes/create_bad' });
      await waitFor(() => shown('create_bad').length === 4);
      expect(shown('create_bad')).toEqual(['using', 'refused', 'using', 'failed']);
      const slow = hub.tools.call({ tool: 'notes/create_slow', timeoutMs: 100 });
      await expect(slow).rejects.toMatchObject({ code: 'call_timeout' });
      const stop = new AbortController();
      const stopped = hub.tools.call({ tool: 'notes/create_slow' }, { signal: stop.signal });
      await waitFor(() => notes.calls().filter(({ name }) => name === 'create_slow').length === 2);
      stop.abort(new Error('enough'));
      await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
      await waitFor(() => shown('create_slow').length === 4);
      expect(shown('create_slow')).toEqual(['using', 'timed_out', 'using', 'cancelled']);
      const calls = seen.filter((event) => event.kind === 'call');
      for (const { server, call } of calls) {
        expect(server).toBe('notes');
        const isOver = call.state !== 'using' && call.state !== 'waiting';
        expect(typeof call.durationMs).toBe(isOver ? 'number' : 'undefined');
      }
      // One id from the first word about a call to its last.
      expect(new Set(calls.map(({ call }) => call.callId)).size).toBe(5);
    });
  },
  LONG_MS,
);

/** A port that was just given back. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}
