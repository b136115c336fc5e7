import { beforeAll, expect } from 'vitest';
import { openPage } from '../browser/world.ts';
import { verifies } from '../requirements.ts';
import { patience } from '../suite/patience.ts';
import { realEnvironment } from './environment.ts';
import { MEMORY, needRegistry } from './world.ts';

const TEST_MS = 240_000;

beforeAll(needRegistry, patience(90_000));

verifies(
  ['W2', 'S8'],
  'somebody who pastes a config into the page gets a published server that answers',
  async () => {
    const { page, hub } = await openPage({
      place: '/add',
      hub: {},
      env: { ...realEnvironment(), PATH: process.env['PATH'], HOME: process.env['HOME'] },
    });
    const config = JSON.stringify({ mcpServers: { notes: { command: 'npx', args: ['-y', MEMORY] } } });
    await page.getByLabel('What to add').fill(config);
    await page.getByRole('button', { name: /^(Go on|Continue)/ }).click();
    await page
      .getByRole('button', { name: /^Add/ })
      .last()
      .click({ timeout: patience(60_000) });
    await page.getByRole('link', { name: 'All tools' }).click({ timeout: patience(120_000) });
    await page.getByRole('button', { name: /^read_graph/ }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Run it' }).click();
    await expect
      .poll(async () => (await hub.audit.query()).records, { timeout: patience(60_000) })
      .toMatchObject([{ server: 'notes', tool: 'read_graph', outcome: 'ok' }]);
  },
  TEST_MS,
);
