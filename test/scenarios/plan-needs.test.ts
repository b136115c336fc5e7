import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { toPlugError } from '../../src/base/errors.ts';
import type { Hub, OfferedPlan } from '../../src/hub/hub.ts';
import { commandsOn } from '../contracts/commands-on.ts';
import { verifies } from '../requirements.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { startKeyedServer } from './keyed-server.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { programFile } from '../suite/program-file.ts';
import { openWorld } from './policy-world.ts';

const LONG_MS = 60_000;
const FIRST = 'first-canary-7f3a9b2c5d8e1f40';
const SECOND = 'second-canary-5d8e1f407f3a9b2c';
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1', ...NOBODY };
const program = programFile('scenarios/asking-server');
const TYPED = ['add', 'acme', '--', process.execPath, program];

async function openAcme(path = env.PATH): Promise<{ readonly hub: Hub }> {
  const { connect } = await openWorld([], { env: { ...env, PATH: path } });
  return { hub: connect('terminal') };
}

async function planOf(hub: Hub, text: string): Promise<OfferedPlan> {
  const offer = await hub.plans.make({ text });
  const [plan] = offer.plans;
  if (!plan) throw new Error(`no plan: ${JSON.stringify(offer)}`);
  return plan;
}

async function failing(work: Promise<unknown>): Promise<OfferedPlan> {
  const error = toPlugError(
    await work.then(
      () => undefined,
      (failure: unknown) => failure,
    ),
  );
  expect(error.code).toBe('missing_input');
  return error.details?.['offer'] as OfferedPlan; // the plan comes with the failure
}

verifies(
  ['S17', 'V3'],
  'a server that ends for want of a key gets a field for it, with its alternatives, and nothing is saved',
  async () => {
    const { hub } = await openAcme();
    const config = { mcpServers: { acme: { command: process.execPath, args: [program] } } };
    const plan = await planOf(hub, JSON.stringify(config));
    expect(plan.needs).toEqual([]);
    const offer = await failing(hub.plans.install({ plan: plan.plan }));
    expect(offer.needs).toEqual(['env:ACME_API_KEY']);
    expect(offer.view.form).toMatchObject([
      { id: 'env:ACME_API_KEY', title: 'Acme API key', kind: 'secret', instead: ['env:ACME_OAUTH_TOKEN'] },
      { id: 'env:ACME_OAUTH_TOKEN', kind: 'secret', required: false },
    ]);
    expect((await hub.servers.list()).servers).toEqual([]);
    const values = { 'env:ACME_OAUTH_TOKEN': FIRST };
    expect(await hub.plans.install({ plan: offer.plan, values })).toMatchObject({ tested: true });
    expect(await hub.secrets.list()).toEqual(['acme/ACME_OAUTH_TOKEN']);
  },
  LONG_MS,
);

verifies(
  ['S17', 'V3'],
  'on a terminal it is asked for by the name that people know; without one the next command says it',
  async () => {
    const { hub } = await openAcme();
    const told = await commandsOn(hub)([...TYPED.slice(0, 2), '--json', ...TYPED.slice(2)]);
    expect(told.code).not.toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({
      error: {
        code: 'missing_input',
        next: expect.stringMatching(/^plug add acme --json ACME_API_KEY=KEY -- /),
        details: { missing: [{ id: 'env:ACME_API_KEY', secret: true }] },
      },
    });
    expect((await hub.servers.list()).servers).toEqual([]);

    const asked = await commandsOn(hub, { terminal: true })(TYPED, 'y', FIRST);
    expect(asked).toMatchObject({ code: 0, unused: [] });
    expect(asked.stderr).toContain('Acme API key');
    expect(asked.stderr + asked.stdout).not.toContain(FIRST);
    expect(await hub.secrets.list()).toEqual(['acme/ACME_API_KEY']);
    await hub.servers.remove({ id: 'acme' });

    const given = await commandsOn(hub)(['add', 'acme', `ACME_API_KEY=${FIRST}`, ...TYPED.slice(2)]);
    expect(given.code).toBe(0);
    expect((await hub.servers.definition({ id: 'acme' })).endpoint).toMatchObject({
      env: { ACME_API_KEY: '${vault:acme/ACME_API_KEY}' },
    });
  },
  LONG_MS,
);

verifies(
  ['V2', 'V3'],
  'a key file and a command are choices of the same field: the definition holds the way, the vault nothing',
  async () => {
    const folder = temporaryFolder();
    // A password manager that knows one key.
    writeFileSync(join(folder, 'pass'), `#!/bin/sh\necho ${SECOND}\n`, { mode: 0o700 });
    const { hub } = await openAcme(`${folder}:${env.PATH}`);
    const file = join(folder, 'acme.key');
    writeFileSync(file, FIRST);
    const typed = await commandsOn(hub, { terminal: true })(TYPED, 'y', '?', '1', file);
    expect(typed).toMatchObject({ code: 0, unused: [] });
    const endpoint = async () => (await hub.servers.definition({ id: 'acme' })).endpoint;
    expect(await endpoint()).toMatchObject({ env: { ACME_API_KEY: `\${file:${file}}` } });
    expect(await hub.secrets.list()).toEqual([]);

    const command = 'pass show acme';
    const again = ['add', 'acme', '--replace', `ACME_API_KEY=\${command:${command}}`, ...TYPED.slice(2)];
    expect(await commandsOn(hub)(again)).toMatchObject({ code: 0 });
    expect(await endpoint()).toMatchObject({ env: { ACME_API_KEY: `\${command:${command}}` } });
    expect(await hub.secrets.list()).toEqual([]);
    await hub.servers.trust({ id: 'acme' });
    expect((await commandsOn(hub)(['call', 'acme/whoami'])).stdout).toContain(SECOND.slice(-4));
  },
  LONG_MS,
);

verifies(
  ['S15', 'S17'],
  'a 401 is a sign-in where one is offered; else a key is asked for, in the header that the server names',
  async () => {
    const { hub } = await openAcme();
    await using authorization = await startAuthorizationServer();
    await using guarded = await startProtectedServer({ issuer: authorization.url });
    expect((await planOf(hub, guarded.url)).view.auth.kind).toBe('oauth');

    const words = '{"error":"Missing X-Acme-Key header"}';
    const lets = { header: 'X-Acme-Key', value: FIRST, status: 401, words };
    const keyed = await startKeyedServer(lets);
    const plan = await planOf(hub, keyed.url);
    expect(plan).toMatchObject({
      needs: ['header:X-Acme-Key'],
      view: { auth: { kind: 'key' }, form: [{ title: 'API key', kind: 'secret' }] },
    });
    // The same is found out by the trial, where no plan had looked before.
    const entry = { name: 'acme', transport: 'http', url: keyed.url } as const;
    const offline = await hub.plans.make({ text: '', entry, offline: true });
    const offer = await failing(hub.plans.install({ plan: offline.plans[0]?.plan ?? '' }));
    expect(offer.needs).toEqual(['header:X-Acme-Key']);
    expect((await hub.servers.list()).servers).toEqual([]);
    const values = { 'header:X-Acme-Key': FIRST };
    expect(await hub.plans.install({ plan: offer.plan, values })).toMatchObject({ tested: true });
    expect(await hub.secrets.list()).toEqual(['acme/X-Acme-Key']);
  },
  LONG_MS,
);

verifies(
  ['V8'],
  'a server with keys has several accounts, each tried before it is kept, and every call says which',
  async () => {
    const { hub } = await openAcme();
    const plug = commandsOn(hub, { terminal: true });
    expect(await plug(TYPED, 'y', FIRST)).toMatchObject({ code: 0 });
    const wrong = await plug(['auth', 'acme', '--account', 'work'], 'wrong-key');
    expect(wrong.code).not.toBe(0);
    expect(await hub.accounts.list()).toEqual([]);
    expect(await hub.secrets.list()).toEqual(['acme/ACME_API_KEY']);

    expect(await plug(['auth', 'acme', '--account', 'work'], SECOND)).toMatchObject({ code: 0 });
    expect(await hub.accounts.list()).toMatchObject([
      { account: 'default', isDefault: true, keys: true },
      { account: 'work', isDefault: false, keys: true },
    ]);
    expect(await hub.secrets.list()).toEqual(['acme/ACME_API_KEY', 'acme/work/ACME_API_KEY']);
    await hub.servers.trust({ id: 'acme' });
    const called = async (account?: string): Promise<string> => {
      const words = account === undefined ? [] : ['--account', account];
      return (await commandsOn(hub)(['call', 'acme/whoami', ...words])).stdout;
    };
    expect(await called()).toContain(`key ends with ${FIRST.slice(-4)}`);
    expect(await called('work')).toContain(`key ends with ${SECOND.slice(-4)}`);
    expect((await commandsOn(hub)(['call', 'acme/whoami', '--account', 'nobody'])).code).not.toBe(0);
    await hub.accounts.setDefault({ server: 'acme', account: 'work' });
    expect(await called()).toContain(`key ends with ${SECOND.slice(-4)}`);
    expect(await called('default')).toContain(`key ends with ${FIRST.slice(-4)}`);
    await hub.accounts.signOut({ server: 'acme', account: 'work' });
    expect(await hub.secrets.list()).toEqual(['acme/ACME_API_KEY']);
    expect(await called()).toContain(`key ends with ${FIRST.slice(-4)}`);
  },
  LONG_MS,
);

verifies(
  ['S14', 'S15'],
  'a package that is featured asks for the same, whether it is named, pasted or typed',
  async () => {
    const { hub } = await openAcme();
    const byName = (await hub.plans.make({ text: 'google-calendar', offline: true })).plans[0];
    const given = ['npx -y @cocal/google-calendar-mcp', '@cocal/google-calendar-mcp'];
    expect(byName?.needs).toEqual(['env:GOOGLE_OAUTH_CREDENTIALS']);
    for (const text of given) {
      const pasted = (await hub.plans.make({ text, offline: true })).plans[0];
      expect([pasted?.needs, pasted?.server, pasted?.view.auth.kind]).toEqual([
        byName?.needs,
        'google-calendar',
        'key-file',
      ]);
    }
    const entry = {
      name: 'cal',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', '@cocal/google-calendar-mcp'],
    } as const;
    const typed = (await hub.plans.make({ text: '', entry, offline: true })).plans[0];
    expect([typed?.needs, typed?.server]).toEqual([byName?.needs, 'cal']);
    // One that brings its own value is not asked again.
    const config = {
      command: 'npx',
      args: ['-y', '@cocal/google-calendar-mcp'],
      env: { GOOGLE_OAUTH_CREDENTIALS: '/k.json' },
    };
    const whole = await hub.plans.make({
      text: JSON.stringify({ mcpServers: { cal: config } }),
      offline: true,
    });
    expect(whole.plans[0]?.needs).toEqual([]);
  },
  LONG_MS,
);
