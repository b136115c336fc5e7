import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 60_000;

interface Setting {
  readonly key: string;
  readonly value: string | null;
  readonly origin: string;
}

/** An editor that puts a text in place of what it is given, and remembers which file that was. */
function editorThat(plug: Pick<Plug, 'home'>, text: string): string {
  const [editor, wanted] = [join(plug.home, 'an editor'), join(plug.home, 'wanted')];
  writeFileSync(wanted, text);
  writeFileSync(editor, `#!/bin/sh\necho "$1" > '${plug.home}/opened'\ncat '${wanted}' > "$1"\n`);
  chmodSync(editor, 0o755);
  return `'${editor}'`;
}

verifies(
  ['U1'],
  'plug config tells where files are, which are read, and every setting with its origin; set holds at once',
  async () => {
    const env = {
      PLUG_DATABASE_URL: '',
      PLUG_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PLUG_MCP_CONFIG: 'own.json',
    };
    const plug = newPlug(env, { rules: 'shipped' });
    expect((await plug('config', 'path', 'mcp')).stdout).toBe(`${plug.home}/plug/mcp.json\n`);
    expect(existsSync(join(plug.home, 'plug'))).toBe(false); // that needs no hub
    const before = await plug.json('config');
    expect(before).toMatchObject({
      paths: { config: `${plug.home}/plug` },
      files: [
        { scope: 'env', outcome: 'missing' },
        { scope: 'project', outcome: 'missing' },
        { scope: 'user', outcome: 'missing' },
      ],
    });
    const find = (document: Record<string, unknown>, key: string): Setting | undefined =>
      (document['settings'] as readonly Setting[]).find((one) => one.key === key);
    expect(find(before, 'call.write')).toMatchObject({ value: 'ask', origin: 'default' });
    expect(find(before, 'master-key')).toMatchObject({ value: 'set', origin: 'environment' });
    expect(JSON.stringify(before)).not.toContain(env.PLUG_MASTER_KEY);

    expect((await plug('config', 'set', 'call.write', 'deny')).code).toBe(0);
    expect((await plug('config', 'get', 'call.write')).stdout).toBe('deny\n');
    expect(find(await plug.json('config'), 'call.write')).toMatchObject({ origin: 'rules.json' });
    expect(JSON.parse(readFileSync(join(plug.home, 'plug', 'rules.json'), 'utf8'))).toMatchObject({
      defaults: { call: { write: 'deny' } },
    });

    const wrong = await plug('config', 'set', 'call.destructive', 'allow');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('one of ask, deny') });
    expect((await plug('config', 'set', 'prot', '1')).stderr).toContain('Did you mean port?');
    expect((await plug('config', 'set', 'port', '1')).stderr).toContain('export PLUG_PORT=');
    expect((await plug('config', 'set', 'secrets-in-results', 'keep')).stderr).toContain(
      'plug config edit rules',
    );
  },
  LONG_MS,
);

verifies(
  ['U1'],
  'plug config edit keeps the old text when the new one is malformed, and saves what can be read',
  async () => {
    const [command = '', ...args] = fixtureCommand('dual');
    const good = JSON.stringify({ mcpServers: { box: { command, args } } });
    const plug = newPlug();
    const file = join(plug.home, 'plug', 'mcp.json');
    const edited = (text: string, what = 'mcp') =>
      newPlug({ EDITOR: editorThat(plug, text), TMPDIR: plug.home }, { home: plug.home, cwd: plug.cwd })(
        'config',
        'edit',
        what,
      );
    expect(await edited(good)).toMatchObject({ code: 0, stdout: expect.stringContaining('is saved') });
    expect(readFileSync(file, 'utf8')).toBe(good);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(join(plug.home, 'opened'), 'utf8')).toMatch(/\/mcp\.json\n$/);
    const broken = await edited('{ "mcpServers": ');
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Line 1, column \d+.*is unchanged/),
    });
    expect(readFileSync(file, 'utf8')).toBe(good);
    // What was typed is not lost.
    const [draft = ''] = /\/\S*plug-edit-\S+/.exec(broken.stderr) ?? [];
    expect(readFileSync(draft, 'utf8')).toBe('{ "mcpServers": ');
    expect((await edited('{ "rules": [ { } ] }', 'rules')).code).toBe(1);
    expect((await edited(good)).stdout).toContain('is unchanged');
    expect((await plug('config', 'edit')).stderr).toContain('Neither VISUAL nor EDITOR');
  },
  LONG_MS,
);

test('a config file that is a link elsewhere stays a link when it is edited', async () => {
  const plug = newPlug();
  const [elsewhere, file] = [join(plug.cwd, 'dotfiles.json'), join(plug.home, 'plug', 'mcp.json')];
  mkdirSync(join(plug.home, 'plug'), { recursive: true });
  writeFileSync(elsewhere, '{}');
  symlinkSync(elsewhere, file);
  const editor = editorThat(plug, '{ "mcpServers": {} }');
  const typed = newPlug({ VISUAL: editor }, { home: plug.home, cwd: plug.cwd });
  expect((await typed('config', 'edit')).code).toBe(0);
  expect(readFileSync(elsewhere, 'utf8')).toBe('{ "mcpServers": {} }');
});
