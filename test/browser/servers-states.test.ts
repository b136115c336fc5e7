import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { scriptedServer, toolNamed } from '../scenarios/catalog-server.ts';
import { startGate } from '../scenarios/lifecycle-gate.ts';
import { local, QUICK, remote } from '../scenarios/lifecycle-hub.ts';
import { startHttpFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { seriousViolations } from './axe.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 60_000;

verifies(
  ['W1', 'C4'],
  'each of the nine states has a symbol and a word of its own, its cause and one next step, in light and dark',
  async () => {
    await using closed = await startHttpFixture('unauthorized');
    await using as = await startAuthorizationServer();
    await using protectedServer = await startProtectedServer({ issuer: as.url });
    await using good = await startHttpFixture('modern');
    await using gate = await startGate(good.url);
    const { page, hub, go } = await openPage({
      hub: { limits: { ...QUICK, healthCheckMs: 5_000, healthTimeoutMs: 1_000 } },
    });
    const changed = scriptedServer('changed', [toolNamed('get_a')]);
    const keyed = local('keyed', 'modern');
    await hub.servers.apply({
      definitions: [
        local('asleep', 'modern'),
        local('starting', 'hangs-in-handshake'),
        local('ready', 'modern'),
        remote('degraded', gate.url),
        remote('sign-in', protectedServer.url),
        remote('keyless', closed.url),
        {
          ...keyed,
          endpoint: { ...keyed.endpoint, env: { KEY: '${input:api_key}' } } as typeof keyed.endpoint,
        },
        local('failed', 'exits-at-once'),
        changed.definition,
        local('off', 'modern', {}, { enabled: false }),
      ],
    });
    void hub.servers.start({ id: 'starting' }).catch(String);
    const others = ['ready', 'degraded', 'sign-in', 'keyless', 'keyed', 'failed', 'changed'];
    await Promise.allSettled(others.map((id) => hub.servers.start({ id })));
    await hub.servers.trust({ id: 'changed' });
    changed.write([toolNamed('get_a', { description: 'Something else.' })]);
    await hub.servers.restart({ id: 'changed' });
    await go('/servers');
    gate.mode = 503;
    await page.getByText('◐ degraded').waitFor();
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();

    for (const [id, { badge, step }] of Object.entries(STATES)) {
      const card = page.locator('article').filter({ has: page.getByRole('link', { name: id, exact: true }) });
      await card.getByText(badge).waitFor();
      const { reason } = (await hub.servers.get({ id })).state;
      await soon(() => card.textContent()).toContain(SAYS[id] ?? reason.slice(0, 20));
      if (step !== undefined) await card.getByText(step, { exact: true }).waitFor();
      // The name and the menu are there in every state; beside them, one step at most. A key can be shown.
      const shown = await card.getByRole('button', { name: /^Show / }).count();
      const steps = (await card.getByRole('link').count()) + (await card.getByRole('button').count()) - 2;
      expect(steps - shown, id).toBe(step === undefined ? 0 : 1);
    }
    // One that is starting is not counted as ready: only the one that is, and the one that runs degraded, are.
    const overall = page.getByText(/\d\sfailed · .* off/);
    expect((await overall.textContent())?.replaceAll('\u00a0', ' ')).toMatch(
      / · 2 ready · 1 starting · 1 asleep · /,
    );
    expect(new Set(Object.values(STATES).map(({ badge }) => badge)).size).toBe(9);
    expect(await seriousViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousViolations(page)).toEqual([]);
  },
  SLOW,
);

const STATES: Readonly<Record<string, { readonly badge: string; readonly step?: string }>> = {
  asleep: { badge: '○ asleep', step: 'Start' },
  starting: { badge: '◌ starting' },
  ready: { badge: '● ready', step: 'Try a tool' },
  'sign-in': { badge: '◐ sign in', step: 'Sign in' },
  keyless: { badge: '◐ needs a key', step: 'Save' },
  keyed: { badge: '◐ needs a value', step: 'Save' },
  failed: { badge: '✖ failed', step: 'Save' },
  changed: { badge: '▲ 1 tool to review', step: 'Review' },
  off: { badge: '– off', step: 'Turn on' },
};

/** Where a card says something else than the reason: what the server is for, or which value is missing. */
const SAYS: Readonly<Record<string, string>> = { ready: 'Fixture server', keyed: 'Needs api_key to start.' };

verifies(
  ['W1'],
  'the button on a card does what it says: a sleeping server starts, one that is off is on, a value is filled in',
  async () => {
    const { page, hub, go } = await openPage();
    const keyed = local('keyed', 'modern');
    await hub.servers.apply({
      definitions: [
        local('one', 'modern'),
        local('two', 'modern', {}, { enabled: false }),
        {
          ...keyed,
          endpoint: { ...keyed.endpoint, env: { KEY: '${input:api_key}' } } as typeof keyed.endpoint,
        },
      ],
    });
    await Promise.allSettled([hub.servers.start({ id: 'keyed' })]);
    await go('/servers');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await soon(async () => (await hub.servers.get({ id: 'one' })).state.kind).toBe('ready');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await soon(async () => (await hub.servers.get({ id: 'two' })).enabled).toBe(true);
    await page.getByRole('switch', { name: 'two is on', checked: true }).click();
    await soon(async () => (await hub.servers.get({ id: 'two' })).enabled).toBe(false);

    await page.getByRole('textbox', { name: 'api_key' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await hub.servers.get({ id: 'keyed' })).state.kind).toBe('ready');
    expect(await hub.secrets.list()).toContain('keyed/api_key');
    await soon(() => page.content()).not.toContain('correct horse battery');
  },
  SLOW,
);

verifies(
  ['W1'],
  'a failed server opens at the step that failed, with its last output and the form that mends it',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.apply({ definitions: [local('broken', 'exits-at-once')] });
    await Promise.allSettled([hub.servers.start({ id: 'broken' })]);
    await go('/servers');
    await page.getByRole('link', { name: 'broken', exact: true }).click();
    const drawer = page.getByRole('complementary', { name: 'Server broken' });
    // A state that changes meanwhile is looked at again, and the steps come anew.
    await drawer.getByText('DATABASE_URL is not set').first().waitFor();
    await drawer.getByText('✖ FAIL').first().waitFor();
    await drawer.getByText('✓ PASS').first().waitFor();
    await drawer.getByRole('textbox', { name: 'Database URL' }).waitFor();
    await drawer.getByRole('button', { name: 'Details' }).click();
    await drawer.getByLabel('Last output').getByText('see the manual, chapter 4').waitFor();
    await drawer.getByRole('link', { name: 'Open log' }).click();
    await drawer.getByRole('log').getByText('see the manual, chapter 4').waitFor();
    expect(page.url()).toMatch(/\/servers\/broken\/logs$/);
    expect(await seriousViolations(page)).toEqual([]);
  },
  SLOW,
);

verifies(
  ['W1'],
  "an entry of a project's file is off until its person has seen what it would run and trusts just that",
  async () => {
    const project = temporaryFolder();
    const { page, hub, go } = await openPage({ hub: { cwd: project }, mayComplain: /status of 4/ });
    const { endpoint } = local('theirs', 'modern');
    if (endpoint.kind !== 'stdio') throw new Error('the fixture is local');
    const write = (args: readonly string[]): void =>
      writeFileSync(
        `${project}/mcp.json`,
        JSON.stringify({ mcpServers: { theirs: { command: endpoint.command, args } } }),
      );
    write(endpoint.args);
    await hub.servers.reload();
    await go('/servers');
    await page.getByRole('button', { name: 'Trust…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Trust theirs?' });
    await dialog.getByText(endpoint.command).first().waitFor();
    write([...endpoint.args, 'extra=1']);
    await hub.servers.reload();
    // By now the page has heard of the change; the dialog stays as it was read.
    await page.waitForTimeout(1_000);
    expect(await dialog.getByText('extra=1').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Trust theirs' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await hub.servers.get({ id: 'theirs' })).trust).toBe('none');
    await dialog.getByRole('button', { name: 'Not now' }).click();

    await page.getByRole('button', { name: 'Trust…' }).click();
    await dialog.getByText('extra=1').waitFor();
    await dialog.getByRole('button', { name: 'Trust theirs' }).click();
    await soon(async () => (await hub.servers.get({ id: 'theirs' })).trust).toBe('kept');
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  },
  SLOW,
);
