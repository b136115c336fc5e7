import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { systemClock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { Machine } from '../servers/clients/client.ts';
import { clients } from '../servers/clients/clients.ts';
import { connectClient, disconnectClient } from './connect.ts';

const golden = join(import.meta.dirname, '..', '..', 'test', 'golden');
const gateway = { command: 'plug', args: ['gateway'] };

for (const client of clients) {
  verifies(
    ['S12', 'S5'],
    `${client.title}: our entry comes and goes, and every other byte stays`,
    async () => {
      const folder = join(golden, client.name);
      const names = readdirSync(folder);
      const original = names.find((name) => name.startsWith('original.')) ?? '';
      const ending = original.slice('original.'.length);
      const bytes = (name: string): string => readFileSync(join(folder, `${name}.${ending}`), 'latin1');

      const machine = newMachine();
      const user = client.places(machine).find((place) => !place.endings && place.path.endsWith(ending));
      const file = user?.path ?? '';
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes('original'), 'latin1');
      const scope = user?.scope === 'project' ? 'project' : 'user';
      const journal = { note: () => Promise.resolve(), foldersMadeFor: () => Promise.resolve([]) };
      const options = { machine, clock: systemClock, ids: systemIds, scope, journal } as const;

      const added = await connectClient(client.name, gateway, options);
      expect(added).toMatchObject({ client: client.name, file, changed: true, warnings: [] });
      const shown = readFileSync(file, 'latin1');
      expect(shown).toBe(bytes('after-add'));
      expect(readFileSync(added.backup ?? '', 'latin1')).toBe(bytes('original'));

      expect(await connectClient(client.name, gateway, options)).toMatchObject({ changed: false });
      expect(readdirSync(dirname(file)).filter((name) => name.includes('backup'))).toHaveLength(1);

      expect(await disconnectClient(client.name, options)).toMatchObject({ changed: true });
      const left = readFileSync(file, 'latin1');
      expect(left).toBe(bytes('after-remove'));
      expect(bytes('after-remove')).toBe(bytes('original'));
      expect(await disconnectClient(client.name, options)).toMatchObject({ changed: false });
    },
  );
}

function newMachine(): Machine {
  const home = temporaryFolder();
  return { home, cwd: join(home, 'project'), env: {}, platform: 'linux' };
}
