import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { defined, pasted, PIXEL_PNG, tool } from './page-fixture.ts';
import { openWorld } from './policy-world.ts';
import { listen, officialApi } from './registry-listener.ts';

const LONG_MS = 30_000;
const env = {
  PATH: process.env['PATH'],
  PLUG_NO_KEYRING: '1',
  PLUG_REGISTRIES: '{"official":false,"smithery":false}',
};

/** A hub with one server that calls itself so, as the page sees it. */
async function withServer(serverInfo: object): Promise<Hub> {
  const { connect } = await openWorld([], { env });
  const hub = connect('terminal');
  await hub.servers.add({
    definition: defined('notes', { serverInfo: { ...serverInfo }, tools: [tool('read')] }),
  });
  return hub;
}

verifies(
  ['W1', 'V6'],
  'before a server is removed its credentials are named, and exactly these go with it',
  async () => {
    const { connect } = await openWorld([], { env });
    const hub = connect('terminal');
    for (const id of ['notes', 'other']) {
      const text = pasted(id, { tools: [tool('a')] }, { API_KEY: `${id}-canary-7f3a9b2c5d8e` });
      const [plan] = (await hub.plans.make({ text })).plans;
      await hub.plans.install({ plan: plan?.plan ?? '' });
    }
    await hub.secrets.set({ name: 'shared', value: 'canary-shared-0123' });
    const before = await hub.servers.credentials({ id: 'notes' });
    expect(before).toMatchObject({ secrets: ['notes/API_KEY'], accounts: [] });
    await hub.servers.remove({ id: 'notes' });
    expect(await hub.secrets.list()).toEqual(['other/API_KEY', 'shared']);
    await expect(hub.servers.credentials({ id: 'notes' })).rejects.toMatchObject({ code: 'not_found' });
  },
  LONG_MS,
);

verifies(
  ['W1'],
  'pages of a server are off until somebody switches them on, and the choice is kept',
  async () => {
    const hub = await withServer({});
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ apps: false });
    expect(await hub.servers.setApps({ id: 'notes', shown: true })).toMatchObject({ apps: true });
    expect((await hub.servers.list()).servers).toMatchObject([{ id: 'notes', apps: true, enabled: true }]);
    await hub.servers.disable({ id: 'notes' });
    expect(await hub.servers.enable({ id: 'notes' })).toMatchObject({ apps: true });
    expect(await hub.servers.setApps({ id: 'notes', shown: false })).toMatchObject({ apps: false });
    await expect(hub.servers.setApps({ id: 'nobody', shown: true })).rejects.toMatchObject({
      code: 'not_found',
    });
  },
  LONG_MS,
);

verifies(
  ['W1', 'T5'],
  'a card knows what the tools of its server cost a model, once they were counted',
  async () => {
    const { connect } = await openWorld([], { env, limits: { tokenCountDelayMs: 1 } });
    const hub = connect('terminal');
    await hub.servers.add({ definition: defined('notes', { tools: [tool('read'), tool('list')] }) });
    await waitFor(async () => ((await hub.servers.get({ id: 'notes' })).tokens ?? 0) > 0, 20_000);
    const { tools } = await hub.tools.list();
    const sum = tools.reduce((all, { tokens = 0 }) => all + tokens, 0);
    expect((await hub.servers.get({ id: 'notes' })).tokens).toBe(sum);
  },
  LONG_MS,
);

verifies(
  ['W1'],
  'the picture of a server is shown when it is one',
  async () => {
    const hub = await withServer({ icons: [{ src: `data:image/png;base64,${PIXEL_PNG}` }] });
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ hasIcon: true });
    expect(await hub.servers.icon({ id: 'notes' })).toEqual({ mimeType: 'image/png', data: PIXEL_PNG });
  },
  LONG_MS,
);

verifies(
  ['W1', 'C16'],
  'a picture that is a drawing with scripts, mislabelled, unsafe to fetch or inside our network is not shown',
  async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
    let knocks = 0;
    const inside = createServer((socket) => {
      knocks += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    onTestFinished(() => void inside.close());
    const { port } = inside.address() as AddressInfo; // it listens on TCP
    const hub = await withServer({
      icons: [
        { src: `data:image/svg+xml;base64,${svg}` },
        { src: `data:image/png;base64,${svg}`, mimeType: 'image/png' },
        { src: `http://127.0.0.1:${port}/a.png` },
        { src: `https://127.0.0.1:${port}/a.png` },
        { src: `https://localhost:${port}/a.png` },
        { src: 'https://[::1]/a.png' },
        { src: 'file:///etc/passwd' },
        { src: 7 },
      ],
    });
    expect(await hub.servers.icon({ id: 'notes' })).toEqual({});
    expect(knocks).toBe(0);
    const plain = await withServer({});
    expect((await plain.servers.get({ id: 'notes' })).hasIcon).toBeUndefined();
    expect(await plain.servers.icon({ id: 'notes' })).toEqual({});
  },
  LONG_MS,
);

verifies(
  ['W1', 'S12'],
  'a server from a registry is shown with the picture that the registry has of it',
  async () => {
    const icons = [{ src: `data:image/png;base64,${PIXEL_PNG}` }];
    const remotes = [{ type: 'streamable-http', url: 'https://mcp.acme.test/mcp' }];
    const registry = await listen(officialApi([{ name: 'com.acme/files', icons, remotes }]));
    const PLUG_REGISTRIES = JSON.stringify({ official: { url: registry.url }, smithery: false });
    const { connect } = await openWorld([], { env: { ...env, PLUG_REGISTRIES } });
    const hub = connect('terminal');
    const [plan] = (await hub.plans.make({ text: 'com.acme/files' })).plans;
    await hub.plans.install({ plan: plan?.plan ?? '', id: 'files', test: false });
    expect(await hub.servers.get({ id: 'files' })).toMatchObject({ hasIcon: true });
    expect(await hub.servers.icon({ id: 'files' })).toMatchObject({ mimeType: 'image/png' });
  },
  LONG_MS,
);
