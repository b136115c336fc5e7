import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { formsOf } from '../scenarios/leaky-server.ts';
import { answerOf, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const LONG_MS = 120_000;
const SERVER = fileURLToPath(new URL('telling-server.ts', import.meta.url));

/** A `plug` whose calls run unasked, and whose results are masked as for a new user. */
function maskingPlug(servers: Readonly<Record<string, object>>): Plug {
  const home = temporaryFolder();
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  mkdirSync(`${home}/plug`, { mode: 0o700 });
  writeFileSync(`${home}/plug/rules.json`, JSON.stringify({ defaults: { call } }), { mode: 0o600 });
  const file = join(home, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return newPlug({ PLUG_NO_KEYRING: '1', PLUG_MCP_CONFIG: file }, { home, rules: 'shipped' });
}

/** Parts of the key that are in a text, in any form and on any line. */
function toldIn(text: string, key: string): readonly string[] {
  const half = Math.floor(key.length / 2);
  const forms = { ...formsOf(key), 'first half': key.slice(0, half), 'second half': key.slice(half) };
  return Object.entries(forms).flatMap(([name, form]) => {
    const lines = form.split('\n').filter((line) => line.length >= 12);
    const sings = (part: string): boolean =>
      text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1));
    return name !== 'basic' && lines.some(sings) ? [name] : [];
  });
}

verifies(
  ['attack:15', 'V5'],
  'a key that a server repeats in any usual encoding, twice encoded, or split over lines and blocks is masked',
  async () => {
    const key = `sk-${randomBytes(15).toString('base64url')}/+Zz`;
    const plug = maskingPlug({
      telling: { command: process.execPath, args: [SERVER], env: { TELLING_KEY: key } },
    });
    for (const argv of [
      ['call', 'telling/get_key'],
      ['--json', 'call', 'telling/get_key'],
      ['logs', 'telling', '--lines', '60'],
      ['--json', 'logs', 'telling', '--lines', '60'],
      // What is shown begins in the middle of the key.
      ...[1, 2, 3, 4, 5].map((lines) => ['logs', 'telling', '--lines', String(lines)]),
    ]) {
      const { stdout, stderr } = await plug(...argv);
      expect({ argv, told: toldIn(stdout + stderr, key) }).toEqual({ argv, told: [] });
      expect(stdout).toContain('[secret]');
    }
    expect(toldIn(readFileSync(`${plug.home}/plug/plugboard.db-wal`, 'latin1'), key)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['attack:15', 'V5'],
  'the names, hosts, packages, paths and tools of servers stay readable, also when a key is the same word',
  async () => {
    const env = {
      FIRST_TOKEN: 'google-docs-personal',
      SECOND_TOKEN: 'mcp.docs-personal1.example',
      THIRD_TOKEN: '@acme-tools/docs-server2',
      FOURTH_TOKEN: 'get_echo_of_text_1',
      FIFTH_TOKEN: 'administrator',
      SIXTH_TOKEN: SERVER,
      REAL_TOKEN: 'sk-this-one-is-really-secret-7',
    };
    const plug = maskingPlug({
      'google-docs-personal': { command: process.execPath, args: [SERVER], env },
      web: { url: 'https://mcp.docs-personal1.example/mcp' },
      packaged: { command: 'npx', args: ['-y', '@acme-tools/docs-server2@1.2.3'], disabled: true },
    });
    const words = Object.values(env).filter((word) => word !== 'get_echo_of_text_1');
    const message = `open ${words.join(' and ')} please`;
    const { stdout } = await plug('call', 'google-docs-personal/get_echo', `message=${message}`);
    expect(stdout).toBe(`Echo: ${message.replace(env.REAL_TOKEN, '[secret]')}\n`);
    for (const argv of [['list'], ['status', 'google-docs-personal'], ['status', 'web']]) {
      const shown = await plug(...argv);
      expect(shown.stdout).not.toContain(env.REAL_TOKEN);
      expect(shown.stdout).toMatch(/google-docs-personal|mcp\.docs-personal1\.example/);
    }
    const off = await plug('disable', 'google-docs-personal');
    const refused = await plug('call', 'google-docs-personal/get_echo', 'message=x');
    expect(off.stdout + refused.stderr).not.toContain('[secret]');
    expect(refused.stderr).toContain('plug enable google-docs-personal');
  },
  LONG_MS,
);

const PASTE = JSON.stringify({
  mcpServers: {
    notes: {
      command: 'npx',
      args: ['-y', 'notes-server', '--api-key', 'sk-live-abcdef0123456789abcdef', '--port=8080'],
      env: { NOTES_TOKEN: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', REGION: 'eu' },
    },
    web: {
      url: 'https://notes.example/mcp?api_key=zx81-abcdef0123456789&region=eu',
      headers: { Authorization: 'Bearer abcdef.0123456789.ghijkl', Accept: 'text/plain' },
    },
  },
});
const KEYS = [
  'sk-live-abcdef0123456789abcdef',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'zx81-abcdef0123456789',
  'abcdef.0123456789.ghijkl',
];

verifies(
  ['attack:15', 'V5'],
  'plug parse masks keys in arguments, addresses, variables and headers unless it is told to show them',
  async () => {
    const plug = newPlug();
    const read = async (...argv: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
      answerOf(plug.begin([...argv, '-'], PASTE));
    for (const argv of [['parse'], ['--json', 'parse']]) {
      const { stdout, stderr } = await read(...argv);
      expect(KEYS.filter((key) => (stdout + stderr).includes(key))).toEqual([]);
      expect(stdout).toContain('[secret]');
      expect(stdout).toContain('region=eu');
    }
    const shown = await read('--json', 'parse', '--show-secrets');
    expect(KEYS.filter((key) => shown.stdout.includes(key))).toEqual(KEYS);
    expect(shown.stderr).toBe('⚠ Secrets are shown in plain text.\n');
    const masked = JSON.parse((await read('--json', 'parse')).stdout) as Record<string, unknown>;
    const whole = JSON.parse(shown.stdout) as Record<string, unknown>;
    expect(Object.keys(masked)).toEqual(Object.keys(whole));
    const plain = await read('parse', '--show-secrets');
    expect(plain.stdout).toContain('--api-key sk-live-abcdef0123456789abcdef');
  },
  LONG_MS,
);
