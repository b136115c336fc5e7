import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { atATerminal } from './at-a-terminal.ts';
import { fixtureCommand } from './plug-command.ts';
import { listen, officialApi, registriesAt } from './registry-listener.ts';

const LONG_MS = 30_000;
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const [command = '', ...args] = fixtureCommand('dual');

verifies(
  ['S14', 'S17'],
  'on a terminal the plan is shown first, a secret is asked for once and unseen, and no means no',
  async () => {
    const home = temporaryFolder();
    // The server shows what it got, which is kept from everybody by default.
    const rules = { defaults: { call: { unknown: 'allow' } }, secretsInResults: 'keep' };
    writeFileSync(`${home}/rules.json`, JSON.stringify(rules), { mode: 0o600 });
    const { type, hub } = await atATerminal(NOBODY, home);
    const text = JSON.stringify({ mcpServers: { box: { command, args, env: { BOX_TOKEN: '<token>' } } } });
    const no = await type(['add', text], 'n');
    expect(no.code).toBe(1);
    expect(no.shown).toMatch(/Plan for box[^]*Add box\? \[Y\/n\]/);
    expect((await hub.servers.list()).servers).toEqual([]);
    const yes = await type(['add', text], '', 'swordfish-77');
    expect(yes).toMatchObject({ code: 0, unused: [] });
    expect(yes.shown).toContain('Box token (typed unseen');
    expect(yes.shown).not.toContain('swordfish-77');
    expect(await hub.secrets.list()).toEqual(['box/BOX_TOKEN']);
    const { result } = await hub.tools.call({ tool: 'box/env' });
    expect(JSON.stringify(result)).toContain('swordfish-77');
    expect((await type(['add', text], '', 'swordfish-78')).shown).toContain(
      'A server named “box” already exists',
    );
    expect((await type(['add', text, '--replace'], '', 'swordfish-79')).code).toBe(0);
    expect(JSON.stringify((await hub.tools.call({ tool: 'box/env' })).result)).toContain('swordfish-79');
  },
  LONG_MS,
);

verifies(
  ['S14', 'attack:C3'],
  'a link that somebody made is not added by pressing Enter',
  async () => {
    const { type, hub } = await atATerminal(NOBODY);
    const config = Buffer.from(JSON.stringify({ command, args })).toString('base64');
    const link = `lmstudio://add_mcp?name=offer&config=${encodeURIComponent(config)}`;
    const enter = await type(['add', link], '');
    expect(enter.code).toBe(1);
    expect(enter.shown).toContain('Add offer? [y/N]');
    expect((await hub.servers.list()).servers).toEqual([]);
    expect((await type(['add', link], 'y')).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['S8', 'S9'],
  'several servers get a tick box each, and damaged text is used only when the person agrees',
  async () => {
    const { type, hub } = await atATerminal(NOBODY);
    const entry = JSON.stringify({ command, args });
    const three = `{"mcpServers": {"a": ${entry}, "b": ${entry}, "c": ${entry}}}`;
    // Box 2 is switched off, then both others are agreed to.
    const ticked = await type(['add', three], '2', '', 'y', 'y');
    expect(ticked).toMatchObject({ code: 0, unused: [] });
    expect(ticked.shown).toContain('[x] 3');
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['a', 'c']);
    const damaged = `{"mcpServers": {"d": ${entry},}`;
    expect((await type(['add', damaged], 'n')).code).toBe(1);
    expect(await type(['add', damaged], 'y', 'y')).toMatchObject({ code: 0, unused: [] });
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  },
  LONG_MS,
);

verifies(
  ['S13', 'S17'],
  'words that registries list under several names become a choice',
  async () => {
    const official = await listen(
      officialApi([
        { name: 'com.acme/tides', remotes: [{ type: 'sse', url: 'https://tides.example/sse' }] },
        { name: 'com.acme/tides-pro', remotes: [{ type: 'sse', url: 'https://tides.example/pro' }] },
      ]),
    );
    const { type, hub } = await atATerminal(registriesAt({ official: official.url }));
    expect((await type(['add', 'tides'], '')).code).toBe(1);
    const chosen = await type(['add', 'tides', '--no-test'], '2', 'y');
    expect(chosen).toMatchObject({ code: 0, unused: [] });
    expect(chosen.shown).toContain('published by com.acme');
    expect((await hub.servers.list()).servers).toMatchObject([
      { id: 'tides-pro', target: 'https://tides.example/pro' },
    ]);
  },
  LONG_MS,
);
