import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Hub, InstallProgress, OfferedPlan } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor } from '../servers/start.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { defined, pasted, tool, type PageFixture } from './page-fixture.ts';
import { openWorld } from './policy-world.ts';

const LONG_MS = 30_000;
const KEY = 'canary-7f3a9b2c5d8e1f40';
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1', ...NOBODY };

interface Tried {
  readonly hub: Hub;
  readonly plan: OfferedPlan;
  readonly data: string;
  readonly told: InstallProgress[];
}

/** A hub behind its socket, and the plan of a server that was pasted with a key. */
async function planned(fixture: PageFixture, keys: Readonly<Record<string, string>> = {}): Promise<Tried> {
  const { connect, config: data } = await openWorld([], { env });
  const hub = connect('terminal');
  const offer = await hub.plans.make({ text: pasted('notes', fixture, keys) });
  const [plan] = offer.plans;
  if (!plan) throw new Error(`no plan: ${JSON.stringify(offer)}`);
  return { hub, plan, data, told: [] };
}

/** Nothing of a trial is left: no server, no key, no connection, no row. */
async function expectNothingLeft({ hub, data }: Tried): Promise<void> {
  expect((await hub.servers.list()).servers).toEqual([]);
  expect(await hub.secrets.list()).toEqual([]);
  expect(await hub.servers.events()).toEqual([]);
  await waitFor(async () => (await hub.status()).live === 0);
  const database = join(data, 'plugboard.db');
  for (const file of [database, `${database}-wal`]) {
    if (existsSync(file)) expect(readFileSync(file).includes(KEY)).toBe(false);
  }
}

verifies(
  ['W2', 'S17'],
  'a test shows each step and what the server writes, without keys, and saves nothing',
  async () => {
    const fixture = { stderr: ['reading ~key~', 'ready'], tools: [tool('a'), tool('b')] };
    const tried = await planned(fixture, { API_KEY: KEY });
    const outcome = await tried.hub.plans.try(
      { plan: tried.plan.plan },
      { onProgress: (progress) => tried.told.push(progress) },
    );
    expect(outcome).toEqual({ summary: 'Connected to page fixture, 2 tools: a, b.', tools: ['a', 'b'] });
    const steps = tried.told.filter(({ kind }) => kind === 'step').map(({ text }) => text);
    expect(steps[0]).toMatch(/^Starting .*node.* …$/);
    expect(steps.slice(1)).toEqual([
      'Handshake …',
      'It speaks MCP 2025-11-25. Listing tools …',
      'Connected to page fixture, 2 tools: a, b.',
    ]);
    const logs = tried.told.filter(({ kind }) => kind === 'log').map(({ text }) => text);
    expect(logs).toEqual([expect.stringMatching(/^reading \[secret/), 'ready']);
    expect(JSON.stringify([tried.told, outcome])).not.toContain(KEY);
    await expectNothingLeft(tried);
    // The same plan can still be carried out, and then it is there.
    const installed = await tried.hub.plans.install({ plan: tried.plan.plan });
    expect(installed).toMatchObject({ tested: true, secrets: ['notes/API_KEY'] });
    expect(await tried.hub.secrets.list()).toEqual(['notes/API_KEY']);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S17'],
  'an installation shows the same steps, and its log holds no key either',
  async () => {
    const { hub, plan, told } = await planned(
      { stderr: ['key ~key~'], tools: [tool('a')] },
      { API_KEY: KEY },
    );
    await hub.plans.install({ plan: plan.plan }, { onProgress: (progress) => told.push(progress) });
    expect(told.map(({ kind }) => kind)).toEqual(['step', 'step', 'step', 'step', 'log']);
    expect(JSON.stringify(told)).not.toContain(KEY);
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ state: { kind: 'ready' }, toolCount: 1 });
  },
  LONG_MS,
);

verifies(
  ['W2', 'S17'],
  'a test that fails says why and shows the last words, and leaves nothing either',
  async () => {
    const tried = await planned({ stderr: ['bad key ~key~'], refuses: true }, { API_KEY: KEY });
    const failure = await tried.hub.plans
      .try({ plan: tried.plan.plan }, { onProgress: (progress) => tried.told.push(progress) })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/exit code 3.*Nothing was saved\.$/),
      next: expect.any(String),
    });
    expect(tried.told.some(({ kind, text }) => kind === 'log' && text.startsWith('bad key [secret'))).toBe(
      true,
    );
    expect(JSON.stringify([tried.told, failure])).not.toContain(KEY);
    await expectNothingLeft(tried);
  },
  LONG_MS,
);

verifies(
  ['W2', 'C12'],
  'a test that is cancelled ends its process and leaves nothing',
  async () => {
    // The last two lines of a server that goes on are held back: a key may be cut in half there.
    const fixture = { stderr: ['process ~pid~', 'waiting', 'still waiting'], silent: true };
    const tried = await planned(fixture, { API_KEY: KEY });
    const stop = new AbortController();
    let pid = 0;
    const trying = tried.hub.plans.try(
      { plan: tried.plan.plan },
      {
        signal: stop.signal,
        onProgress: ({ text }) => {
          pid ||= Number(/^process (\d+)$/.exec(text)?.[1] ?? 0);
          if (pid > 0) stop.abort();
        },
      },
    );
    await expect(trying).rejects.toThrow();
    expect(pid).toBeGreaterThan(0);
    await waitFor(() => !isAlive(pid));
    await expectNothingLeft(tried);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S17'],
  'a server that runs under the same name goes on while another one is tried, and pressing twice is no harm',
  async () => {
    const tried = await planned({ tools: [tool('new')] });
    const { hub, plan } = tried;
    await hub.servers.add({ definition: defined('notes', { tools: [tool('old')] }) });
    const { pid } = (await hub.servers.get({ id: 'notes' })).process ?? {};
    const [first, second] = await Promise.all([
      hub.plans.try({ plan: plan.plan }),
      hub.plans.try({ plan: plan.plan }),
    ]);
    expect([first.tools, second.tools]).toEqual([['new'], ['new']]);
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({
      process: { pid },
      state: { kind: 'ready' },
    });
    expect((await hub.tools.list()).tools.map(({ ref }) => ref)).toEqual(['notes/old']);
    expect((await hub.status()).live).toBe(1);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S17'],
  'a remote server is tried with its key, and the key is kept nowhere',
  async () => {
    await using remote = await startHttpFixture('dual');
    const { connect } = await openWorld([], { env });
    const hub = connect('terminal');
    const told: string[] = [];
    const [plan] = (await hub.plans.make({ text: remote.url })).plans;
    const outcome = await hub.plans.try(
      { plan: plan?.plan ?? '', headers: { 'x-api-key': KEY } },
      { onProgress: ({ text }) => told.push(text) },
    );
    expect(outcome.tools.length).toBeGreaterThan(0);
    expect(told[0]).toBe(`Connecting to ${remote.url} …`);
    expect(await hub.secrets.list()).toEqual([]);
    expect((await hub.servers.list()).servers).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S17'],
  'a key that a server refuses is an error of the test, a missing sign-in is none',
  async () => {
    await using refusing = await startHttpFixture('unauthorized');
    await using authorization = await startAuthorizationServer();
    await using guarded = await startProtectedServer({ issuer: authorization.url });
    const { connect } = await openWorld([], { env });
    const hub = connect('terminal');
    const planOf = async (url: string): Promise<string> =>
      (await hub.plans.make({ text: url })).plans[0]?.plan ?? 'no plan';
    const headers = { authorization: `Bearer ${KEY}` };
    const wrong = hub.plans.try({ plan: await planOf(refusing.url), headers });
    await expect(wrong).rejects.toMatchObject({
      code: 'sign_in_needed',
      message: expect.stringContaining('Nothing was saved.'),
      next: 'Correct the key, then try again.',
    });
    expect(await hub.plans.try({ plan: await planOf(guarded.url) })).toMatchObject({
      signIn: true,
      tools: [],
      summary: expect.stringContaining('Sign in to use it'),
    });
    expect(await hub.secrets.list()).toEqual([]);
    expect(await hub.accounts.list()).toEqual([]);
    expect((await hub.servers.list()).servers).toEqual([]);
  },
  LONG_MS,
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

verifies(
  ['S14'],
  'the name of a variable among the arguments stays a name: its key goes into the environment alone',
  async () => {
    const { connect } = await openWorld([], { env });
    const hub = connect('terminal');
    const args = ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'acme/notes:1.0', '--from=GITHUB_TOKEN_FILE'];
    const entry = { command: 'docker', args, env: { GITHUB_TOKEN: KEY } };
    const offer = await hub.plans.make({ text: JSON.stringify({ mcpServers: { notes: entry } }) });
    await hub.plans.install({ plan: offer.plans[0]?.plan ?? '', test: false });
    expect((await hub.servers.definition({ id: 'notes' })).endpoint).toMatchObject({
      args,
      env: { GITHUB_TOKEN: '${vault:notes/GITHUB_TOKEN}' },
    });
  },
  LONG_MS,
);
