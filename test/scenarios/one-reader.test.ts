import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug } from './plug-command.ts';

const LONG_MS = 60_000;
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const [command = '', ...args] = fixtureCommand('dual');

verifies(
  ['S19'],
  'plug add FILE saves everything that the entry says, and the key of a wrapper as a header in the vault',
  async () => {
    const plug = newPlug(NOBODY);
    mkdirSync(join(plug.cwd, 'sub'));
    const tools = { deny: ['echo'] };
    const boat = { command, args, cwd: '.', tools, keepAlive: true, readOnly: true, timeout: 45 };
    const bridge = ['mcp-remote', 'https://a.test/mcp', '--header', 'Authorization:${AUTH_HEADER}'];
    const key = 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl';
    const far = { command: 'npx', args: bridge, env: { AUTH_HEADER: key } };
    writeFileSync(join(plug.cwd, 'sub', 'mcp.json'), JSON.stringify({ mcpServers: { boat, far } }));
    const added = await plug('add', './sub/mcp.json', '--yes', '--no-test', '--offline');
    expect(added.code).toBe(0);
    const entryOf = async (id: string): Promise<unknown> => {
      const { text } = await plug.json('export', id, '--to', 'mcp-json');
      return (JSON.parse(String(text)) as { mcpServers: Record<string, unknown> }).mcpServers[id];
    };
    expect(await entryOf('boat')).toMatchObject({ cwd: join(plug.cwd, 'sub') });
    const listed = (await plug.json('list'))['servers'] as readonly { readonly id: string }[];
    expect(listed).toContainEqual(expect.objectContaining({ id: 'boat', readOnly: true }));
    expect(await entryOf('far')).toEqual({
      type: 'http',
      url: 'https://a.test/mcp',
      headers: { Authorization: 'Bearer ${vault:far/Authorization}' },
    });
    expect((await plug('export', 'boat', '--to', 'cursor')).stderr).toContain('keep-alive');
    const offered = (await plug.json('tools', 'boat'))['tools'] as readonly { readonly name: string }[];
    expect(offered.map(({ name }) => name)).not.toContain('echo');
  },
  LONG_MS,
);

verifies(
  ['S19', 'S14'],
  'another server under a name that is taken gets the next free one; the same one is not added twice',
  async () => {
    const plug = newPlug(NOBODY);
    const paste = (...more: readonly string[]): string =>
      JSON.stringify({ mcpServers: { box: { command, args: [...args, ...more] } } });
    const add = (text: string) => plug('--json', 'add', text, '--yes', '--no-test', '--offline');
    expect((await add(paste())).code).toBe(0);
    const second = await add(paste('--other'));
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ server: { id: 'box-2' } });
    const again = await add(paste());
    expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: 'already_exists' } });
  },
  LONG_MS,
);
