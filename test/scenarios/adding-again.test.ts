import { expect } from 'vitest';
import { commandsOn } from '../contracts/commands-on.ts';
import { verifies } from '../requirements.ts';
import { openWorld } from './policy-world.ts';

const LONG_MS = 60_000;
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const UNTRIED = ['--yes', '--no-test', '--offline', '--json'];

verifies(
  ['S14', 'S19'],
  'a package with another folder is another server; the same one again names the command that replaces it',
  async () => {
    const { connect } = await openWorld([], { env: { PATH: '/nowhere', PLUG_NO_KEYRING: '1', ...NOBODY } });
    const hub = connect('terminal');
    const plug = commandsOn(hub);
    const add = async (text: string, ...more: readonly string[]): Promise<object> =>
      JSON.parse((await plug(['add', text, ...UNTRIED, ...more])).stdout) as object;
    const files = 'npx -y @modelcontextprotocol/server-filesystem';
    expect(await add(`${files} /srv/one`)).toMatchObject({ server: { id: 'filesystem' } });
    expect(await add(`${files} /srv/two`)).toMatchObject({ server: { id: 'filesystem-2' } });
    const again = await add(`${files}@2026.8.31 /srv/one`);
    const next = `plug add '${files}@2026.8.31 /srv/one' --yes --no-test --offline --json --replace`;
    expect(again).toMatchObject({ error: { code: 'already_exists', next } });
    expect(await add(`${files}@2026.8.31 /srv/one`, '--replace')).toMatchObject({
      server: { id: 'filesystem' },
    });
    expect((await hub.servers.list()).servers.map(({ id, target }) => [id, target])).toEqual([
      ['filesystem', `${files}@2026.8.31 /srv/one`],
      ['filesystem-2', `${files} /srv/two`],
    ]);
  },
  LONG_MS,
);

verifies(
  ['S15', 'S17'],
  'a field is called as people call it, and a key file that the list knows is asked for as a file',
  async () => {
    const { connect } = await openWorld([], { env: { PATH: '/nowhere', PLUG_NO_KEYRING: '1', ...NOBODY } });
    const hub = connect('terminal');
    const formOf = async (entry: object) => {
      const { plans } = await hub.plans.make({
        text: JSON.stringify({ mcpServers: { x: entry } }),
        offline: true,
      });
      return plans[0]?.view.form.map(({ title, kind }) => [title, kind]);
    };
    const headers = { 'x-api-key': 'YOUR_21ST_API_KEY' };
    expect(await formOf({ url: 'https://a.test/mcp', headers })).toEqual([['21st API key', 'secret']]);
    const env = { GOOGLE_OAUTH_CREDENTIALS: '/path/to/your/gcp-oauth.keys.json' };
    const args = ['@cocal/google-calendar-mcp'];
    expect(await formOf({ command: 'npx', args, env })).toEqual([['Google OAuth credentials', 'file']]);
  },
  LONG_MS,
);
