import { expect, test } from 'vitest';
import { isDeepStrictEqual } from 'node:util';
import type { ClientName } from '../../src/servers/clients/client.ts';
import { clients } from '../../src/servers/clients/clients.ts';
import { readClients, type ImportedServer } from '../../src/servers/clients/scan.ts';
import { verifies } from '../requirements.ts';
import { claudeDesktop, libreChat, lmStudio, mcpJson } from './homes/desktop.ts';
import { cursor, vscode, windsurf, zed } from './homes/editors.ts';
import type { ClientHome, ExpectedEntry, Folders } from './homes/expected.ts';
import { cline, continueDev, roo } from './homes/extensions.ts';
import { claudeCode, copilotCli, geminiCli } from './homes/terminal.ts';
import { codex, goose, opencode } from './homes/terminal-more.ts';
import { emptyMachine, write } from './prepared-home.ts';

const HOMES: Readonly<Record<Exclude<ClientName, 'emacs'>, (folders: Folders) => ClientHome>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  cursor,
  vscode,
  'copilot-cli': copilotCli,
  'gemini-cli': geminiCli,
  codex,
  opencode,
  goose,
  zed,
  windsurf,
  continue: continueDev,
  'lm-studio': lmStudio,
  librechat: libreChat,
  cline,
  roo,
  'mcp-json': mcpJson,
};

verifies(
  ['S11'],
  'of the entries of 17 clients in their newest forms at least 98 % are read right',
  async () => {
    expect(Object.keys(HOMES).toSorted()).toEqual(clients.map(({ name }) => name).toSorted());
    const machine = emptyMachine('linux');
    const homes = Object.values(HOMES).map((home) => home(machine));
    for (const { files } of homes) for (const [path, text] of Object.entries(files)) write(path, text);
    const scan = await readClients(machine);
    const expected = homes.flatMap(({ entries }) => entries);
    const wrong = expected.flatMap((entry) => differences(entry, scan.found));
    const share = 1 - new Set(wrong.map(({ entry }) => entry)).size / expected.length;
    expect(expected.length).toBeGreaterThan(85);
    expect({ share: share >= 0.98, wrong }).toEqual({ share: true, wrong: [] });
    // Nothing else was made of these files, nothing was lost without a word.
    const known = new Set(expected.map(({ client, scope, id }) => `${client}:${scope}:${id}`));
    expect(scan.found.map(addressOf).filter((found) => !known.has(found))).toEqual([]);
    expect(scan.problems).toEqual([]);
    expect(scan.leftOut.map(({ server }) => server).toSorted()).toEqual(
      homes.flatMap(({ leftOut = [] }) => leftOut).toSorted(),
    );
  },
);

test('each home alone gives what all of them together give', async () => {
  for (const [name, makeHome] of Object.entries(HOMES)) {
    const machine = emptyMachine('linux');
    const { files, entries } = makeHome(machine);
    for (const [path, text] of Object.entries(files)) write(path, text);
    const { found } = await readClients({ ...machine, clients: [name as ClientName] }); // a key of HOMES
    expect({ name, found: found.map(addressOf).toSorted() }).toEqual({
      name,
      found: entries.map(({ client, scope, id }) => `${client}:${scope}:${id}`).toSorted(),
    });
  }
});

function addressOf({ client, scope, definition }: ImportedServer): string {
  return `${client}:${scope}:${definition.id}`;
}

function differences(entry: ExpectedEntry, found: readonly ImportedServer[]) {
  const name = `${entry.client}:${entry.scope}:${entry.id}`;
  const server = found.find((each) => addressOf(each) === name);
  if (!server) return [{ entry: name, field: 'all of it', found: undefined, expected: entry }];
  const { endpoint, enabled, timeouts, tools, config } = server.definition;
  const pairs: readonly [string, unknown, unknown][] = [
    ['endpoint', endpoint, entry.endpoint],
    ['enabled', enabled, entry.enabled ?? true],
    ['timeouts', timeouts, entry.timeouts ?? {}],
    ['tools', tools, entry.tools ?? {}],
    ['config', config, entry.config ?? {}],
    ['keys', server.keys.map(({ where }) => where), entry.keys ?? []],
    ['warns', entry.warns === undefined || entry.warns.test(server.warnings.join('\n')), true],
  ];
  return pairs
    .filter(([, is, should]) => !isDeepStrictEqual(is, should))
    .map(([field, is, should]) => ({ entry: name, field, found: is, expected: should }));
}
