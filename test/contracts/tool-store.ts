import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Pin } from '../../src/catalog/pin.ts';
import type { ManifestFacts, Tombstone, ToolStore } from '../../src/catalog/store.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { ODD_TEXTS } from './storage-kinds.ts';

/** What every store of tools promises. Each test has an owner of its own. */
export function toolStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: ToolStore;
    let owners = 0;
    const newOwner = (): string => `tools-owner-${(owners += 1)}`;

    beforeAll(async () => {
      storage = await open();
      store = storage.tools;
    });
    afterAll(() => storage.close());

    verifies(
      ['H2'],
      'a pin comes back exactly as it was put, whatever server and tool are called',
      async () => {
        const owner = `${newOwner()}\0`;
        const pins = ODD_TEXTS.flatMap((odd) => [
          pinOf({ server: odd, tool: 't', definition: `{"name":"${odd}"}` }),
          pinOf({ server: 's', tool: odd }),
        ]);
        await store.putPins(owner, pins);
        const back = await store.listPins(owner);
        expect(back).toHaveLength(pins.length);
        expect(back).toEqual(expect.arrayContaining(pins));
        for (const odd of ODD_TEXTS) {
          expect(await store.deletePins(owner, 's', odd)).toBe(1);
          expect(await store.deletePins(owner, odd)).toBe(1);
          expect(await store.deletePins(owner, odd)).toBe(0);
        }
        expect(await store.listPins(owner)).toEqual([]);
      },
    );

    verifies(
      ['H2'],
      'a pin that is put again replaces the earlier one, and of two the later counts',
      async () => {
        const owner = newOwner();
        await store.putPins(owner, [pinOf({ tool: 'a' }), pinOf({ tool: 'b' })]);
        await store.putPins(owner, [
          pinOf({ tool: 'b', hash: 'second' }),
          pinOf({ tool: 'b', hash: 'third', pinnedAt: 1_789_000_000_123 }),
        ]);
        await store.putPins(owner, []);
        expect(await store.listPins(owner)).toStrictEqual([
          pinOf({ tool: 'a' }),
          pinOf({ tool: 'b', hash: 'third', pinnedAt: 1_789_000_000_123 }),
        ]);
      },
    );

    verifies(
      ['H2'],
      'a thousand pins go in at once and come back in the order of server and tool',
      async () => {
        const owner = newOwner();
        const pins = Array.from({ length: 1_050 }, (_, index) =>
          pinOf({ server: `s${index % 3}`, tool: `t${String(index).padStart(4, '0')}` }),
        );
        await store.putPins(owner, pins);
        const names = (await store.listPins(owner)).map(({ server, tool }) => `${server} ${tool}`);
        expect(names).toEqual(pins.map(({ server, tool }) => `${server} ${tool}`).toSorted());
        expect(await store.deletePins(owner, 's1')).toBe(350);
        expect(await store.listPins(owner)).toHaveLength(700);
      },
    );

    verifies(['H2'], 'pins that are put at the same time from all sides all count', async () => {
      const owner = newOwner();
      const tools = Array.from({ length: 250 }, (_, index) => `t${index}`);
      await Promise.all(
        [tools, tools.toReversed(), tools].map((some, round) =>
          store.putPins(
            owner,
            some.map((tool) => pinOf({ tool, hash: `round ${round}` })),
          ),
        ),
      );
      const back = await store.listPins(owner);
      expect(back).toHaveLength(250);
      // All or none: the last writer's pins are there together.
      expect(new Set(back.map(({ hash }) => hash)).size).toBe(1);
    });

    verifies(['H2'], 'an override replaces the earlier one and goes when it decides nothing', async () => {
      const owner = newOwner();
      const id = { server: 's', tool: 'odd\0tool' };
      await store.putToolOverride(owner, { ...id, enabled: false });
      await store.putToolOverride(owner, { server: 's', tool: 'a', enabled: true, risk: 'destructive' });
      await store.putToolOverride(owner, { ...id, risk: 'read' });
      expect(await store.listToolOverrides(owner)).toStrictEqual([
        { server: 's', tool: 'a', enabled: true, risk: 'destructive' },
        { ...id, risk: 'read' },
      ]);
      await store.putToolOverride(owner, id);
      await store.putToolOverride(owner, id);
      expect((await store.listToolOverrides(owner)).map(({ tool }) => tool)).toEqual(['a']);
    });

    verifies(['H2'], 'the facts of a server are replaced as a whole', async () => {
      const owner = newOwner();
      const facts = factsOf('s', 'first');
      await store.putFacts(owner, factsOf('t', 'other'));
      await store.putFacts(owner, facts);
      await store.putFacts(owner, { ...facts, manifestHash: 'second', tools: [] });
      expect(await store.listFacts(owner)).toStrictEqual([
        { ...facts, manifestHash: 'second', tools: [] },
        factsOf('t', 'other'),
      ]);
    });

    verifies(['H2'], 'what a server no longer has is remembered until it is back', async () => {
      const owner = newOwner();
      const gone = Array.from({ length: 220 }, (_, index) => tombstoneOf(`t${index}`));
      await store.putTombstones(owner, [...gone, tombstoneOf('a\0b'), { ...tombstoneOf('x'), server: 't' }]);
      await store.deleteTombstones(owner, 's', []);
      expect(await store.listTombstones(owner)).toHaveLength(222);
      await store.deleteTombstones(owner, 's', [...gone.map(({ tool }) => tool), 'a\0b', 'x', 'never']);
      expect(await store.listTombstones(owner)).toStrictEqual([{ ...tombstoneOf('x'), server: 't' }]);
    });

    verifies(['H2'], 'forgetting a server leaves nothing of it, and all of the others', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      for (const [whose, server] of [
        [owner, 's'],
        [owner, 't'],
        [other, 's'],
      ] as const) {
        await store.putPins(whose, [pinOf({ server, tool: 'a' }), pinOf({ server, tool: 'b' })]);
        await store.putToolOverride(whose, { server, tool: 'a', enabled: false });
        await store.putFacts(whose, factsOf(server, 'h'));
        await store.putTombstones(whose, [{ ...tombstoneOf('c'), server }]);
      }
      await store.forgetServer(owner, 's');
      await store.forgetServer(owner, 's');
      const left = async (whose: string): Promise<string[]> =>
        [
          await store.listPins(whose),
          await store.listToolOverrides(whose),
          await store.listFacts(whose),
          await store.listTombstones(whose),
        ].map((rows) => rows.map(({ server }) => server).join());
      expect(await left(owner)).toEqual(['t,t', 't', 't', 't']);
      expect(await left(other)).toEqual(['s,s', 's', 's', 's']);
      expect(await store.deletePins(newOwner(), 's')).toBe(0);
    });

    verifies(['H2'], 'what was stored cannot be changed through the object that was put', async () => {
      const owner = newOwner();
      const flags = [{ kind: 'instructions' as const, field: 'description', detail: 'says “ignore”' }];
      await store.putFacts(owner, {
        server: 's',
        manifestHash: 'h',
        tools: [{ name: 't', hash: 'x', flags }],
      });
      flags.pop();
      expect((await store.listFacts(owner))[0]?.tools[0]?.flags).toHaveLength(1);
    });
  });
}

export function pinOf(given: Partial<Pin>): Pin {
  return { server: 's', tool: 't', hash: 'f'.repeat(64), definition: '{"name":"t"}', pinnedAt: 7, ...given };
}

function factsOf(server: string, manifestHash: string): ManifestFacts {
  const flag = { kind: 'hidden_characters' as const, field: 'name', detail: 'U+200B \u200b \0 \ud800' };
  return { server, manifestHash, tools: [{ name: 'a\0', hash: 'x', flags: [flag], tokens: 12 }] };
}

function tombstoneOf(tool: string): Tombstone {
  return { server: 's', tool, goneAt: 1_789_000_000_000 };
}
