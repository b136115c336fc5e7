import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { local } from '../scenarios/lifecycle-hub.ts';
import { openPage } from './world.ts';

const LONG_MS = 120_000;
const TABS = 10;

verifies(
  ['W5'],
  'ten tabs load and follow the hub, also when the tab that reads its events is closed',
  async () => {
    const { page, context, hub, url } = await openPage({ place: '/servers' });
    const tabs: Page[] = [page];
    // Of the other tabs: the first has its stream, or is about to open it.
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/v1/events') && request.frame().page() !== page)
        streams.push(request.url());
    });
    while (tabs.length < TABS) {
      const tab = await context.newPage();
      // Chat is the place that needs most: its host, and the events.
      await tab.goto(`${url}${tabs.length % 2 === 0 ? '/chat' : '/servers'}`);
      await tab.getByRole('navigation', { name: 'Plugboard' }).waitFor();
      tabs.push(tab);
    }
    await hub.servers.apply({ definitions: [local('first', 'modern')] });
    const onServers = tabs.filter((tab) => tab.url().endsWith('/servers'));
    const shows = (tab: Page, id: string): Promise<void> =>
      tab.getByRole('link', { name: id, exact: true }).waitFor();
    await Promise.all(onServers.map((tab) => shows(tab, 'first')));

    await page.close();
    await hub.servers.apply({ definitions: [local('first', 'modern'), local('second', 'modern')] });
    await Promise.all(onServers.slice(1).map((tab) => shows(tab, 'second')));
    // One tab has taken over; none of the others has opened a stream.
    expect(streams).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'every tab says that the hub is gone, loses only what it cannot load, and is up to date once it is back',
  async () => {
    const { page, context, url, stop, start } = await openPage({
      place: '/servers',
      mayComplain: /Failed to load resource|ERR_/,
    });
    const other = await context.newPage();
    await other.goto(`${url}/servers`);
    await other.getByRole('navigation', { name: 'Plugboard' }).waitFor();
    await stop();
    await Promise.all(
      [page, other].map((tab) =>
        tab
          .getByText(/reconnect/i)
          .first()
          .waitFor(),
      ),
    );
    // A place that was not loaded yet can't be now; the rest of the page stays.
    await other.getByRole('link', { name: 'Activity' }).click();
    await other.getByRole('button', { name: 'Reload' }).waitFor();
    await other.getByRole('link', { name: 'Servers' }).click();
    await other.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
    const hub = await start();
    await hub.servers.apply({ definitions: [local('later', 'modern')] });
    await Promise.all(
      [page, other].map((tab) => tab.getByRole('link', { name: 'later', exact: true }).waitFor()),
    );
    expect(await page.getByText(/reconnect/i).count()).toBe(0);
  },
  LONG_MS,
);
