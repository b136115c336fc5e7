import { chmodSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { argsOf, local, situations, type Situation, type Ward } from './doctor-situations.ts';

const own = (ward: Ward): string => join(ward.own, 'mcp.json');
const notes = { mcpServers: { sick: local() } };

/** A server whose entry stays in Claude Code's file. */
async function followed(ward: Ward, entry: JsonObject = local()): Promise<string> {
  const file = ward.write(join(ward.home, '.claude.json'), {
    mcpServers: { sick: { type: 'stdio', ...entry } },
  });
  const definition: ServerDefinition = defineServer({
    id: 'sick',
    endpoint: { kind: 'stdio', command: process.execPath, args: argsOf(entry) as string[] },
    source: { kind: 'import', file },
    follow: { client: 'claude-code', file, syntax: 'json', path: ['mcpServers', 'sick'], entry: 'sick' },
  });
  await (await ward.hub()).servers.apply({ definitions: [definition] });
  return file;
}

function almost(name: string, text: string = JSON.stringify(notes)): Situation {
  return {
    when: `the file is called ${name}`,
    whole: true,
    plant: (ward) => void ward.write(join(ward.own, name), text),
    cause: { check: 'near-miss', cause: 'bad_config' },
    says: /looks like a config file, but Plugboard reads .*mcp\.json/,
    remedy: { do: 'run' },
  };
}

const rows: readonly Situation[] = [
  almost('mcp.json.txt'),
  almost('mcp_servers.json'),
  almost('mcp.jsn'),
  almost('MCP.json'),
  almost('claude_desktop_config.json'),
  almost('mpc.json'),
  {
    when: 'the file lacks a comma',
    whole: true,
    plant: (ward) =>
      void ward.write(own(ward), '{\n  "mcpServers": { "a": { "command": "node" }\n    "b": {} }\n}\n'),
    cause: { check: 'files', cause: 'bad_config' },
    says: /mcp\.json, line 3/,
    remedy: { do: 'say' },
    does: async (ward) => {
      ward.write(own(ward), { mcpServers: {} });
      await (await ward.hub()).servers.reload();
    },
  },
  {
    when: 'a variable of the person is not set',
    plant: { ...local(), env: { TOKEN: '${NOTES_TOKEN}' } },
    cause: { check: 'variables', cause: 'missing_input' },
    says: /\$\{NOTES_TOKEN\} in env\.TOKEN/,
    remedy: { do: 'say' },
    does: (ward) => ward.reopen({ NOTES_TOKEN: 'x' }),
  },
  {
    when: 'a secret is not in the vault',
    plant: { ...local(), env: { TOKEN: '${vault:notes-key}' } },
    cause: { check: 'variables', cause: 'missing_input' },
    says: /\$\{vault:notes-key\}/,
    remedy: { do: 'set-secret', name: 'notes-key' },
  },
  {
    when: 'a file that it takes a key from is not there',
    plant: (ward) => ({ ...local(), env: { TOKEN: `\${file:${join(ward.home, 'key.txt')}}` } }),
    cause: { check: 'variables', cause: 'missing_input' },
    says: /key\.txt/,
    remedy: { do: 'say' },
    does: (ward) => void ward.write(join(ward.home, 'key.txt'), 'x\n'),
  },
  {
    when: 'a known package lacks its key',
    still: true,
    plant: { command: 'npx', args: ['-y', 'tavily-mcp'] },
    cause: { check: 'variables', cause: 'missing_input', status: 'warn' },
    says: /Tavily needs TAVILY_API_KEY/,
    remedy: { do: 'edit-server', field: 'env.TAVILY_API_KEY' },
    knows: 'tvly-x',
  },
  {
    when: 'the command is mistyped',
    plant: (ward) => {
      ward.write(join(ward.bin, 'frobnicate'), '#!/bin/sh\n', 0o755);
      return { ...local(), command: 'frobnicat' };
    },
    cause: { check: 'command', cause: 'missing_command' },
    says: /Did you mean frobnicate/,
    remedy: { do: 'edit-server', field: 'command', to: 'frobnicate' },
    // The right program of this situation is Node under that name.
    does: (ward) =>
      void ward.write(join(ward.bin, 'frobnicate'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755),
  },
  {
    when: 'a runtime is not installed',
    plant: { ...local(), command: 'bun' },
    cause: { check: 'command', cause: 'missing_command' },
    says: /bun was not found/,
    remedy: { do: 'install', program: 'Bun' },
    does: (ward) =>
      void ward.write(join(ward.bin, 'bun'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755),
  },
  {
    when: 'its program may not be executed',
    plant: (ward) => ({
      ...local(),
      command: ward.write(join(ward.bin, 'notes'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o644),
    }),
    cause: { check: 'command', cause: 'missing_command' },
    says: /may not be executed/,
    remedy: { do: 'run' },
  },
  {
    when: 'the folder that it starts in is gone',
    plant: (ward) => ({ ...local(), cwd: join(ward.home, 'nowhere') }),
    cause: { check: 'command', cause: 'bad_config' },
    says: /nowhere/,
    remedy: { do: 'run' },
  },
  {
    when: 'its script was moved',
    plant: (ward) => ({ command: 'node', args: [join(ward.home, 'build/index.js')] }),
    cause: { check: 'command', cause: 'bad_config' },
    says: /build\/index\.js/,
    remedy: { do: 'edit-server', field: 'args' },
    knows: argsOf(local()),
  },
  {
    when: 'the interpreter of its script is gone',
    plant: (ward) => ({
      ...local(),
      command: ward.write(join(ward.bin, 'notes'), '#!/no/such/python9\n', 0o755),
    }),
    cause: { check: 'spawn', cause: 'missing_command' },
    says: /interpreter/,
    remedy: { do: 'say' },
    does: (ward) =>
      void ward.write(join(ward.bin, 'notes'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755),
  },
  {
    when: 'a project brought it, and it is not trusted yet',
    plant: (ward) => void ward.write(join(ward.project, 'mcp.json'), notes),
    cause: { check: 'config', cause: 'untrusted' },
    says: /new in this project/,
    remedy: { do: 'trust', server: 'sick' },
  },
  {
    when: 'it is there twice',
    plant: (ward) => void ward.write(own(ward), { mcpServers: { other: local(), sick: local() } }),
    cause: { check: 'config', cause: 'already_exists' },
    says: /same server as other/,
    remedy: { do: 'disable', server: 'sick' },
  },
  {
    when: 'the file that it follows is gone',
    plant: async (ward) => rmSync(await followed(ward)),
    cause: { check: 'variables', cause: 'bad_config' },
    says: /follows .*\.claude\.json, which is gone/,
    remedy: { do: 'say' },
    does: (ward) => void ward.write(join(ward.home, '.claude.json'), notes),
  },
  {
    when: 'the file that it follows is broken',
    plant: async (ward) => {
      const file = await followed(ward);
      writeFileSync(file, '{\n  "mcpServers": {');
    },
    cause: { check: 'variables', cause: 'bad_config' },
    says: /follows .*\.claude\.json, which is broken in line 2/,
    remedy: { do: 'say' },
    does: (ward) => void ward.write(join(ward.home, '.claude.json'), notes),
  },
  {
    when: 'its entry is no longer in the file that it follows',
    plant: async (ward) => writeFileSync(await followed(ward), '{"mcpServers":{}}'),
    cause: { check: 'variables', cause: 'bad_config' },
    says: /no longer has this entry/,
    remedy: { do: 'say' },
    does: (ward) => void ward.write(join(ward.home, '.claude.json'), notes),
  },
  {
    when: 'the followed entry changed, and needs another program',
    plant: async (ward) => {
      const file = await followed(ward);
      writeFileSync(file, JSON.stringify({ mcpServers: { sick: { ...local(), command: 'bunx' } } }));
    },
    cause: { check: 'command', cause: 'missing_command' },
    says: /bunx was not found/,
    remedy: { do: 'install', program: 'Bun' },
    does: (ward) =>
      void ward.write(join(ward.bin, 'bunx'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755),
  },
  {
    when: 'a named config file is not there',
    whole: true,
    env: { PLUG_MCP_CONFIG: '/nowhere/other.json' },
    plant: () => undefined,
    cause: { check: 'files', cause: 'bad_config' },
    says: /PLUG_MCP_CONFIG names \/nowhere\/other\.json/,
    remedy: { do: 'say' },
    does: (ward) => ward.reopen({}),
  },
  {
    when: 'the rules have a mistake',
    whole: true,
    plant: (ward) =>
      void ward.write(join(ward.own, 'rules.json'), '{ "defaults": { "call": { "read": "perhaps" } } }'),
    cause: { check: 'rules', cause: 'bad_config' },
    says: /rules\.json, line 1/,
    remedy: { do: 'check-rules' },
    does: (ward) => {
      ward.write(join(ward.own, 'rules.json'), '{ "defaults": { "call": { "read": "ask" } } }');
      return ward.closeHub();
    },
  },
  {
    when: 'the key file of the vault was lost',
    whole: true,
    plant: async (ward) => {
      await (await ward.hub()).secrets.set({ name: 'notes-key', value: 'x' });
      renameSync(keyOf(ward), join(ward.home, 'backup.key'));
    },
    cause: { check: 'vault', cause: 'missing_input' },
    says: /its key .*\.key is not there/,
    remedy: { do: 'say' },
    does: (ward, { says }) =>
      renameSync(join(ward.home, 'backup.key'), /its key (\S+\.key)/.exec(says)?.[1] ?? ''),
  },
  {
    when: 'other users can read the key of the vault',
    whole: true,
    plant: async (ward) => {
      await (await ward.hub()).secrets.set({ name: 'notes-key', value: 'x' });
      chmodSync(keyOf(ward), 0o644);
    },
    cause: { check: 'vault', cause: 'denied' },
    says: /other users may read it/,
    remedy: { do: 'run' },
  },
  {
    when: 'other users can read its folder',
    whole: true,
    plant: async (ward) => {
      await ward.hub();
      chmodSync(ward.own, 0o755);
    },
    cause: { check: 'storage', cause: 'denied' },
    says: /Other users can read 1 file or folder/,
    remedy: { do: 'check', fix: true },
  },
  {
    when: 'the database can be read by others',
    whole: true,
    plant: async (ward) => {
      await ward.hub();
      chmodSync(join(ward.own, 'plugboard.db'), 0o644);
    },
    cause: { check: 'storage', cause: 'denied' },
    says: /Other users can read 1 file or folder/,
    remedy: { do: 'check', fix: true },
  },
  {
    when: 'the certificates of the company are not where they should be',
    whole: true,
    env: { NODE_EXTRA_CA_CERTS: '/nowhere/corp.pem' },
    plant: () => undefined,
    cause: { check: 'proxy', cause: 'bad_config' },
    says: /NODE_EXTRA_CA_CERTS names \/nowhere\/corp\.pem/,
    remedy: { do: 'say' },
    does: (ward) => ward.reopen({}),
  },
  {
    when: 'the proxy is no address',
    whole: true,
    env: { HTTPS_PROXY: 'proxy.example:8080' },
    plant: () => undefined,
    cause: { check: 'proxy', cause: 'bad_config' },
    says: /HTTPS_PROXY/,
    remedy: { do: 'say' },
    does: (ward) => ward.reopen({ HTTPS_PROXY: 'http://proxy.example:8080' }),
  },
  {
    when: 'the clock was set back',
    whole: true,
    plant: async (ward) => {
      await ward.hub();
      const later = new Date(Date.now() + 3_600_000);
      utimesSync(join(ward.own, 'plugboard.db'), later, later);
    },
    cause: { check: 'clock', cause: 'unavailable' },
    says: /\d+ minutes later/,
    remedy: { do: 'say' },
    // As if the clock were right again.
    does: (ward) => utimesSync(join(ward.own, 'plugboard.db'), new Date(), new Date()),
  },
];

function keyOf(ward: Ward): string {
  const folder = join(ward.own, 'vault');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.key')) ?? '');
}

situations(rows);
