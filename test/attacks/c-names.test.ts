import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { meet, scriptedServer, toolNamed } from '../scenarios/catalog-server.ts';
import { withHub } from '../scenarios/lifecycle-hub.ts';

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'constructor.prototype',
];

verifies(
  ['T1', 'attack:C10'],
  'names that every object has find nothing and change nothing: as server, as tool and as argument',
  async () => {
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted();
    const server = scriptedServer('notes', [toolNamed('get_x'), ...NAMES.map((name) => toolNamed(name))]);
    await withHub({}, async ({ hub }) => {
      await meet(hub, server);
      for (const name of NAMES) {
        await expect(hub.servers.get({ id: name }), name).rejects.toMatchObject({ code: 'not_found' });
        await expect(hub.tools.call({ tool: `${name}/get_x` }), name).rejects.toMatchObject({
          code: expect.stringMatching(/not_found|usage/),
        });
        // As text, because an object literal would mean something else by the first of them.
        const args = JSON.parse(`{"${name}":{"polluted":"yes","prototype":{"polluted":"yes"}}}`) as object;
        await hub.tools.call({ tool: 'notes/get_x', args: args as never }).catch(() => undefined);
        // A tool of that name is one like any other: it is called, or it is not offered.
        await hub.tools.call({ tool: `notes/${name}` }).catch(() => undefined);
      }
      expect(server.calls().filter((name) => ![...NAMES, 'get_x'].includes(name))).toEqual([]);
      expect(server.calls()).toContain('get_x');
    });
    expect('polluted' in {}).toBe(false);
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(before);
  },
  40_000,
);
