import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { hostCalled } from '../scenarios/hosts-world.ts';
import { withHub } from '../scenarios/lifecycle-hub.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const program = fileURLToPath(new URL('endless-asker.ts', import.meta.url));

function asker(): { readonly definition: ServerDefinition; readonly rounds: () => readonly string[] } {
  const file = join(temporaryFolder(), 'rounds.txt');
  const endpoint = { kind: 'stdio', command: process.execPath, args: [program, file], env: {} } as const;
  return {
    definition: defineServer({ id: 'asker', endpoint }),
    rounds: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
  };
}

verifies(
  ['C15', 'attack:G13'],
  'a server that asks again and again is given up after five rounds',
  async () => {
    const { definition, rounds } = asker();
    const person = hostCalled('ada');
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition });
      const { handlers } = person;
      await expect(hub.tools.call({ tool: 'asker/get_more' }, { handlers })).rejects.toMatchObject({
        code: 'protocol_error',
        owner: 'server',
      });
    });
    expect(limits.inputRoundsMax).toBe(5);
    expect(person.asked).toHaveLength(5);
    expect(rounds()).toHaveLength(6);
  },
  40_000,
);

verifies(
  ['C15', 'attack:G13'],
  'a server that asks for a model that nobody offered gets none',
  async () => {
    const { definition, rounds } = asker();
    const person = hostCalled('ada', { capabilities: { elicitation: { form: {} } } });
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition });
      const { handlers } = person;
      const call = hub.tools.call({ tool: 'asker/get_model' }, { handlers });
      await expect(call).rejects.toMatchObject({ owner: 'server' });
    });
    expect(person.asked).toEqual([]);
    expect(rounds().filter((round) => /role|content/.test(round))).toEqual([]);
  },
  40_000,
);
