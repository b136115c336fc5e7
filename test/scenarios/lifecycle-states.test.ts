import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { startGate } from './lifecycle-gate.ts';
import { historyOf, local, QUICK, remote, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 30_000;

verifies(
  ['C4'],
  'a server is asleep, starting, ready, asleep again and disabled, each with its reason',
  async () => {
    await withHub({}, async ({ hub, seen }) => {
      await hub.servers.apply({ definitions: [local('one', 'legacy')] });
      expect(await stateOf(hub, 'one')).toMatchObject({
        kind: 'asleep',
        reason: expect.stringMatching(/first use/),
      });
      expect((await hub.status()).overall).toBe('idle');

      const started = hub.servers.start({ id: 'one' });
      await waitForState(hub, 'one', 'starting');
      expect((await hub.status()).overall).toBe('starting');
      expect((await started).state).toMatchObject({
        kind: 'ready',
        reason: 'Connected to one (MCP 2025-11-25, legacy).',
      });
      expect((await hub.status()).overall).toBe('ready');

      expect((await hub.servers.stop({ id: 'one' })).state).toMatchObject({ kind: 'asleep' });
      expect((await hub.servers.disable({ id: 'one' })).state).toEqual({
        kind: 'disabled',
        reason: 'Disabled.',
        remedy: { do: 'enable', server: 'one' },
        next: 'plug enable one',
      });
      await expect(hub.tools.call({ tool: 'one/pid' })).rejects.toMatchObject({ code: 'disabled' });
      expect(await historyOf(hub, 'one')).toEqual(['CONNECTED USER', 'DISCONNECTED USER']);
      const kinds = seen.flatMap((event) => (event.kind === 'server-state' ? [event.state.kind] : []));
      expect(kinds).toEqual(['starting', 'ready', 'asleep']);
    });
  },
  SLOW,
);

verifies(
  ['C4', 'C8'],
  'each way to fail has its own cause, an exit code or last words where there are any, and a next step',
  async () => {
    const { command } = local('any', 'legacy').endpoint as { command: string }; // local() makes stdio
    await using hanging = await startHttpFixture('hangs');
    const impatient = { timeouts: { startMs: 600 } };
    await withHub({ limits: QUICK }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [
          local('crashed', 'exits-at-once'),
          local('timeout', 'hangs-in-handshake', {}, impatient),
          remote('slow-remote', hanging.url, impatient),
          remote('refused', 'http://127.0.0.1:1/mcp'),
          defineServer({
            id: 'config',
            endpoint: { kind: 'stdio', command: 'no-such-command-here', args: [], env: {} },
          }),
          defineServer({
            id: 'protocol',
            endpoint: {
              kind: 'stdio',
              command,
              args: ['-e', SPEAKS_NO_KNOWN_VERSION],
              env: {},
            },
          }),
        ],
      });
      const { servers, overall } = await hub.servers.waitUntilReady({ timeoutMs: patience(20_000) });
      expect(overall).toBe('failed');
      const states = Object.fromEntries(servers.map(({ id, state }) => [id, state]));
      for (const state of Object.values(states)) {
        expect(state).toMatchObject({ kind: 'failed', next: expect.any(String) });
        expect(state.reason).not.toBe('');
      }
      expect(states['crashed']).toMatchObject({
        cause: 'crashed',
        exitCode: 3,
        stderr: ['config error: DATABASE_URL is not set', 'see the manual, chapter 4', 'exiting'],
      });
      expect(states['timeout']).toMatchObject({ cause: 'timeout' });
      expect(states['slow-remote']).toMatchObject({ cause: 'timeout' });
      expect(states['refused']).toMatchObject({ cause: 'refused' });
      expect(states['config']).toMatchObject({ cause: 'config' });
      expect(states['protocol']).toMatchObject({ cause: 'protocol' });
      expect(await historyOf(hub, 'refused')).toEqual(['ERROR SYSTEM']);
    });
  },
  SLOW,
);

const SPEAKS_NO_KNOWN_VERSION = `
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = method === 'initialize'
      ? { result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } } }
      : { error: { code: -32601, message: 'no' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;

verifies(
  ['C4'],
  'a server with a missing value needs input, names the value, and starts nothing',
  async () => {
    await withHub({}, async ({ hub, folder, spawns }) => {
      const file = `${folder}/started`;
      const definition = local('keyed', 'lock', { file });
      const endpoint = {
        ...definition.endpoint,
        env: { API_KEY: '${input:api_key}' },
      } as typeof definition.endpoint;
      await hub.servers.apply({ definitions: [{ ...definition, endpoint }] });
      await expect(hub.servers.start({ id: 'keyed' })).rejects.toMatchObject({
        code: 'missing_input',
        owner: 'you',
      });
      const state = await stateOf(hub, 'keyed');
      expect(state).toMatchObject({
        kind: 'needs-input',
        missing: ['${input:api_key}'],
        next: expect.any(String),
      });
      expect(state.reason).toContain('env.API_KEY');
      expect(spawns()).toBe(0);
      expect(existsSync(file)).toBe(false);
      expect((await hub.tools.list()).unavailable).toMatchObject([
        { server: 'keyed', state: { kind: 'needs-input' } },
      ]);

      await hub.servers.apply({ definitions: [{ ...definition, endpoint, config: { api_key: 'k' } }] });
      expect((await hub.servers.start({ id: 'keyed' })).state.kind).toBe('ready');
    });
  },
  SLOW,
);

verifies(
  ['C4'],
  'a server that answers 401 and offers no sign-in wants a key, at the start and in the middle, and is ready once it lets us in',
  async () => {
    await using closed = await startHttpFixture('unauthorized');
    await using good = await startHttpFixture('modern');
    await using gate = await startGate(good.url);
    const wantsKey = { do: 'edit-server', field: 'headers.Authorization' };
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [remote('closed', closed.url), remote('halfway', gate.url)] });
      await expect(hub.servers.start({ id: 'closed' })).rejects.toMatchObject({
        code: 'sign_in_needed',
        remedy: wantsKey,
      });
      expect(await stateOf(hub, 'closed')).toMatchObject({ kind: 'needs-sign-in', remedy: wantsKey });
      expect(await historyOf(hub, 'closed')).toEqual(['TOKEN_EXPIRED SYSTEM']);

      expect(await textOf(hub, 'halfway/echo', { message: 'in' })).toBe('in');
      gate.mode = 401;
      for (const message of ['a', 'b']) {
        const call = textOf(hub, 'halfway/echo', { message });
        await expect(call).rejects.toMatchObject({ code: 'sign_in_needed' });
      }
      expect(await stateOf(hub, 'halfway')).toMatchObject({
        kind: 'needs-sign-in',
        remedy: wantsKey,
      });
      gate.mode = 'open';
      expect(await textOf(hub, 'halfway/echo', { message: 'again' })).toBe('again');
      expect(await stateOf(hub, 'halfway')).toMatchObject({ kind: 'ready' });
      expect(await historyOf(hub, 'halfway')).toEqual([
        'CONNECTED SYSTEM',
        'TOKEN_EXPIRED SYSTEM',
        'RECONNECTED SYSTEM',
      ]);
    });
  },
  SLOW,
);

verifies(
  ['C4'],
  'one ready server beside one that failed is a partial hub, and the ready one works',
  async () => {
    await withHub({ limits: QUICK }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [local('good', 'modern'), local('bad', 'exits-at-once')] });
      const { overall } = await hub.servers.waitUntilReady({ timeoutMs: patience(20_000) });
      expect(overall).toBe('partial');
      expect(await textOf(hub, 'good/echo', { message: 'here' })).toBe('here');
      const { tools, unavailable } = await hub.tools.list();
      expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(['good']));
      expect(unavailable).toMatchObject([{ server: 'bad', state: { kind: 'failed', cause: 'crashed' } }]);
    });
  },
  SLOW,
);
