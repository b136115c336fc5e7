import { join } from 'node:path';
import { expect } from 'vitest';
import { importServers } from '../../src/servers/clients/import.ts';
import { readClients } from '../../src/servers/clients/scan.ts';
import { resolveEndpoint } from '../../src/servers/resolve-endpoint.ts';
import { MemoryVault } from './memory-vault.ts';
import { verifies } from '../requirements.ts';
import { emptyMachine, prepareHome, write } from './prepared-home.ts';

verifies(
  ['S11'],
  'a key that stood readable in another client’s file is used from the vault after the import',
  async () => {
    const machine = emptyMachine();
    const key = 'swordfish-$-${NOT_A_VARIABLE-${';
    write(
      join(machine.home, '.codex', 'config.toml'),
      `[mcp_servers.tides]\ncommand = "tides"\n[mcp_servers.tides.env]\nTIDE_TOKEN = '${key}'\n`,
    );
    const vault = new MemoryVault();
    const plan = await importServers(await readClients(machine), 'all', {
      vault,
      owner: 'local',
      existing: [],
    });
    expect(await vault.list('local')).toEqual(['tides/TIDE_TOKEN']);
    const definition = plan.servers[0]?.definition;
    if (!definition) throw new Error('nothing was imported');
    const resolved = await resolveEndpoint(definition, {
      env: () => undefined,
      input: () => undefined,
      file: () => undefined,
      vault: async (name) => (await vault.get('local', name))?.reveal(),
      command: () => undefined,
    });
    expect(resolved).toMatchObject({ kind: 'ok', endpoint: { env: { TIDE_TOKEN: key } }, secrets: [key] });
  },
);

verifies(['S11'], 'everything that a prepared home holds can be imported at once', async () => {
  const { machine, expected } = prepareHome('linux');
  const plan = await importServers(await readClients(machine), 'all', {
    vault: new MemoryVault(),
    owner: 'local',
    existing: [],
    dryRun: true,
  });
  expect(plan.servers.map(({ definition }) => definition.id).toSorted()).toEqual(
    expected.map(({ id }) => id).toSorted(),
  );
  expect(plan.skipped).toEqual([]);
});
