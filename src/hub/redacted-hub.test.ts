import { expect, test } from 'vitest';
import { local, withHub } from '../../test/scenarios/lifecycle-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import type { Hub, HubEvent } from './hub.ts';
import { redactedHub } from './redacted-hub.ts';
import { openRedaction } from './redaction.ts';
import { secretsIn } from './secrets-in.ts';

const SECRET = 'n0-w0rd-of-this-2f';

/** As much of a hub as a test needs; whatever else is asked of it fails. */
function wrapped(parts: object): Hub {
  const redaction = openRedaction(limits);
  redaction.learn(SECRET);
  redaction.learn('hedgehog');
  // Only the parts that are given are used.
  return redactedHub(parts as Hub, { redaction, isName: (text) => text === 'hedgehog' });
}

verifies(
  ['V5'],
  'a failure is told without the secret, in its message, particulars, stack and causes',
  async () => {
    const cause = new Error(`refused ${SECRET}`);
    const error = new PlugError('start_failed', `It said ${SECRET}.`, {
      owner: 'server',
      server: 'hedgehog',
      remedy: { do: 'say', text: `try ${SECRET}` },
      details: { stderr: [SECRET], exitCode: 3 },
      cause,
    });
    const hub = wrapped({ servers: { start: () => Promise.reject(error) } });
    const thrown: unknown = await hub.servers.start({ id: 'hedgehog' }).catch((failure: unknown) => failure);
    if (!(thrown instanceof PlugError)) throw new Error('It threw something else.');
    expect(thrown.toView()).toEqual({
      code: 'start_failed',
      message: 'It said [secret].',
      owner: 'server',
      server: 'hedgehog',
      next: 'try [secret]',
      remedy: { do: 'say', text: 'try [secret]' },
      details: { stderr: ['[secret]'], exitCode: 3 },
    });
    expect(`${thrown.stack}${String(thrown.cause)}`).not.toContain(SECRET);
    expect(thrown.stack).toContain('redacted-hub.test.ts');
  },
);

test('a failure without a secret is the very same error', async () => {
  const error = new PlugError('not_found', 'There is none.', { owner: 'you', cause: new Error('why') });
  const hub = wrapped({ servers: { get: () => Promise.reject(error) } });
  await expect(hub.servers.get({ id: 'x' })).rejects.toBe(error);
});

test('a method that throws at once is a failure like any other', async () => {
  const hub = wrapped({
    tools: {
      call: () => {
        throw new Error(`no ${SECRET}`);
      },
    },
  });
  await expect(hub.tools.call({ tool: 'a/b' })).rejects.toMatchObject({
    code: 'internal',
    message: 'no [secret]',
  });
});

verifies(['V5'], 'progress and events are told without secrets', async () => {
  const event: HubEvent = { kind: 'server-log', server: 'hedgehog', level: 'info', data: { said: [SECRET] } };
  const told: unknown[] = [];
  const hub = wrapped({
    tools: {
      call: (
        _call: unknown,
        { onProgress, onLog }: { onProgress: (progress: object) => void; onLog: (entry: object) => void },
      ) => {
        onProgress({ progress: 1, message: `step with ${SECRET}` });
        onLog({ level: 'info', data: { said: SECRET } });
        return Promise.resolve({ result: { content: [SECRET] } });
      },
    },
    watch: async function* () {
      yield event;
    },
  });
  const answer = await hub.tools.call(
    { tool: 'hedgehog/x' },
    { onProgress: (progress) => told.push(progress), onLog: (entry) => told.push(entry) },
  );
  for await (const seen of hub.watch()) told.push(seen);
  expect(told).toEqual([
    { progress: 1, message: 'step with [secret]' },
    { level: 'info', data: { said: '[secret]' } },
    { ...event, data: { said: ['[secret]'] } },
  ]);
  // What a server answers to a call is its own.
  expect(answer.result).toEqual({ content: [SECRET] });
});

test('a password that is also a name leaves servers, fixed words and schemas alone', async () => {
  const definition = { name: 'query', inputSchema: { properties: { engine: { enum: ['hedgehog'] } } } };
  const hub = wrapped({
    servers: {
      list: () =>
        Promise.resolve({
          servers: [
            { id: 'hedgehog', transport: 'stdio', state: { kind: 'failed', reason: 'hedgehog: no' } },
          ],
          errors: { hedgehog: { code: 'bad_config', message: SECRET } },
        }),
    },
    tools: {
      list: () =>
        Promise.resolve({
          tools: [
            { server: 'hedgehog', definition },
            { server: 'x', definition: { name: SECRET } },
          ],
          unavailable: [{ server: 'hedgehog', state: { kind: 'failed', reason: SECRET } }],
        }),
    },
  });
  expect(await hub.servers.list()).toEqual({
    servers: [{ id: 'hedgehog', transport: 'stdio', state: { kind: 'failed', reason: '[secret]: no' } }],
    errors: { hedgehog: { code: 'bad_config', message: '[secret]' } },
  });
  expect(await hub.tools.list()).toEqual({
    tools: [
      { server: 'hedgehog', definition },
      { server: 'x', definition: { name: '[secret]' } },
    ],
    unavailable: [{ server: 'hedgehog', state: { kind: 'failed', reason: '[secret]' } }],
  });
});

test('an address for signing in arrives as it was made', async () => {
  const address = `https://example.com/auth?state=${SECRET}&token=abcdefgh`;
  const told: unknown[] = [];
  const hub = wrapped({
    accounts: {
      signIn: (_request: unknown, { onProgress }: { onProgress: (progress: object) => void }) => {
        onProgress({ id: 'one', address });
        return Promise.resolve({ server: 'x', account: 'default' });
      },
    },
  });
  await hub.accounts.signIn({ server: 'x' }, { onProgress: (progress) => told.push(progress) });
  expect(told).toEqual([{ id: 'one', address }]);
});

test('of a sign-in the tokens and the client’s secret are secrets, its addresses are not', () => {
  const signIn = {
    issuer: 'https://issuer.example',
    metadata: { issuer: 'https://issuer.example', token_endpoint: 'https://issuer.example/token' },
    client: { id: 'client-id-1', secret: 'client-secret-1' },
    tokens: { access: 'access-token-1', refresh: 'refresh-token-1', scope: 'tools' },
  };
  expect(secretsIn(JSON.stringify(signIn))).toEqual(['client-secret-1', 'access-token-1', 'refresh-token-1']);
  expect(secretsIn('{not json')).toEqual(['{not json']);
  const key = JSON.stringify({ type: 'service_account', private_key: 'line-1\nline-2' });
  expect(secretsIn(key)).toEqual([key, 'line-1\nline-2']);
});

verifies(['V5'], 'the key of the vault and the password of the database are hidden from the start', () => {
  const env = {
    PLUG_MASTER_KEY: 'a2V5LW9mLXRoZS12YXVsdA==',
    PLUG_DATABASE_URL: 'hedgehog://me:p%40ssword9@host/db',
  };
  const redaction = openRedaction(limits, env);
  expect(redaction.redactText(`${env.PLUG_MASTER_KEY} p@ssword9`)).toBe('[secret] [secret]');
});

verifies(
  ['V5'],
  'a try that fails leaves no secret behind: not in its error, not in events, not in the vault',
  async () => {
    await withHub({ env: { DEMO_TOKEN: SECRET } }, async ({ hub }) => {
      const script = `console.error('bad ' + process.env.KEY); process.exit(3)`;
      const dies = local(
        'dies',
        'good',
        {},
        {
          endpoint: { kind: 'stdio', command: process.execPath, args: ['-e', script], env: { KEY: SECRET } },
        },
      );
      await expect(hub.servers.add({ definition: dies })).rejects.toMatchObject({
        code: 'start_failed',
        message: expect.stringContaining('bad [secret]'),
      });
      expect(await hub.servers.events()).toEqual([]);
      expect(await hub.secrets.list()).toEqual([]);
    });
  },
);
