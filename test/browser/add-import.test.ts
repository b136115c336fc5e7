import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, vi } from 'vitest';
import { write } from '../clients/prepared-home.ts';
import { verifies } from '../requirements.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { yesToAll } from '../yes-to-all.ts';
import { openAdd } from './add-world.ts';
import { seriousViolations } from './axe.ts';

const LONG_MS = 90_000;
const KEY = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A home in which two other apps have been used. */
function usedHome(): { readonly home: string; readonly cursor: string } {
  const home = temporaryFolder();
  const { command, args } = stdioFixture('dual');
  const cursor = write(join(home, '.cursor', 'mcp.json'), {
    mcpServers: {
      works: { command, args, env: { GITHUB_TOKEN: KEY } },
      twin: { command: 'npx', args: ['-y', 'acme-twin'] },
      broken: { note: 'x' },
    },
  });
  write(join(home, '.codeium', 'windsurf', 'mcp_config.json'), {
    mcpServers: {
      'twin-too': { command: 'npx', args: ['-y', 'acme-twin'] },
      other: { command: 'npx', args: ['-y', 'acme-other'] },
    },
  });
  // The hub looks for other apps in the home of whoever runs it.
  vi.stubEnv('HOME', home);
  return { home, cursor };
}

verifies(
  ['W2', 'S11'],
  'servers of other apps are listed with readable keys and duplicates named, and only the picked ones come, their keys into the vault',
  async () => {
    const { cursor } = usedHome();
    const before = readFileSync(cursor, 'utf8');
    const { page, hub } = await openAdd();
    await page.getByText(/have 3 servers on this machine/).waitFor();
    await page.getByRole('button', { name: 'Look at them' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?from=clients');
    await page.getByText(/1 key stands readable in .*mcp\.json; here it goes into the vault/).waitFor();
    const shown = await page.getByRole('main').innerText();
    expect(shown).toContain('It is the same server as');
    expect(shown).toContain('broken');
    expect(shown).not.toContain(KEY);
    expect((await hub.servers.list()).servers).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);

    await page.getByRole('checkbox', { name: 'other' }).uncheck();
    await page.getByRole('button', { name: 'Import 2 servers' }).click();
    await page.getByText(/Imported 2 servers: .*works/).waitFor();
    await page.getByText('1 key went into the vault.').waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id).toSorted()).toEqual(['twin', 'works']);
    expect(JSON.stringify(await hub.secrets.list())).toContain('works/GITHUB_TOKEN');
    expect(readFileSync(cursor, 'utf8')).toBe(before);
    await page.getByRole('button', { name: 'Import more' }).click();
    await page
      .getByText(/It is already here/)
      .first()
      .waitFor();
  },
  LONG_MS,
);

verifies(
  ['W2', 'S11'],
  'following leaves the other app’s file as the only place of the key',
  async () => {
    const { cursor } = usedHome();
    const { page, hub } = await openAdd({ place: '/add?from=clients', hub: { approve: yesToAll } });
    await page.getByRole('checkbox', { name: /^twin/ }).first().uncheck();
    await page.getByRole('checkbox', { name: 'other' }).uncheck();
    await page.getByText('Follow: keep reading them').click();
    await page.getByRole('button', { name: 'Import 1 server' }).click();
    await page.getByText('Imported 1 server: works.').waitFor();
    expect(await hub.secrets.list()).toEqual([]);
    const answer = await hub.tools.call({ tool: 'works/env', args: {} });
    expect(JSON.stringify(answer)).toContain('GITHUB_TOKEN');
    expect(readFileSync(cursor, 'utf8')).toContain(KEY);
  },
  LONG_MS,
);
