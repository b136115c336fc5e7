import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { hostWorld } from '../attacks/host-world.ts';
import { verifies } from '../requirements.ts';
import { reading } from './calls-played.ts';

verifies(
  ['G7', 'S12'],
  '“plug connect --http” gives a client a token of its own, shows it nowhere, and “plug disconnect” revokes it',
  async () => {
    const world = await hostWorld({ rules: 'permissive' });
    const { plug } = world;
    await world.serve('notes', reading());
    const file = join(plug.home, '.cursor', 'mcp.json');
    const tokenIn = (): string => /plughost_[\w-]{43}/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
    const statusOf = async (token: string): Promise<number> =>
      (await world.knock({ method: 'DELETE', path: '/mcp', headers: { authorization: `Bearer ${token}` } }))
        .status;

    const shown = await plug('connect', 'cursor', '--http', '--dry-run');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(`${world.url}/mcp`)]);
    expect(await plug.json('host', 'list')).toEqual({ hosts: [] });

    const first = await plug('connect', 'cursor', '--http', '--read-only', '--yes');
    expect(first.code).toBe(0);
    const token = tokenIn();
    expect(await plug.json('host', 'list')).toMatchObject({ hosts: [{ name: 'cursor', readOnly: true }] });
    // Let in: what is wrong is only that it names no session.
    expect(await statusOf(token)).toBe(400);
    const host = await world.host(token, 'modern', 'http', { capabilities: {} });
    expect(JSON.stringify(await host.call('notes__get_note'))).toContain('done');
    // Our own entry is none that we would import.
    expect((await plug.json('import', '--dry-run'))['found']).toEqual([]);

    const again = await plug('connect', 'cursor', '--http', '--yes');
    expect([await statusOf(token), await statusOf(tokenIn())]).toEqual([401, 400]);
    const last = tokenIn();
    const gone = await plug('disconnect', 'cursor', '--yes');
    expect([gone.code, await statusOf(last)]).toEqual([0, 401]);
    expect(await plug.json('host', 'list')).toEqual({ hosts: [] });
    // Connecting made the folder, and no copy of the token is left.
    expect(existsSync(dirname(file))).toBe(false);
    for (const { stdout, stderr } of [shown, first, again, gone]) {
      expect(stdout + stderr).not.toMatch(/plughost_[\w-]{10}/);
    }
    const shared = await plug('connect', 'cursor', '--http', '--scope', 'project');
    expect([shared.code, shared.stderr]).toEqual([2, expect.stringContaining('the token is yours alone')]);
  },
  120_000,
);
