import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { played, reading, writing } from './calls-played.ts';
import { withHub } from './lifecycle-hub.ts';
import { newPlug } from './plug-command.ts';
import { openWorld, rule } from './policy-world.ts';

const LONG_MS = 60_000;

const rules = {
  defaults: { call: { read: 'allow', write: 'allow', unknown: 'allow' } },
  rules: [
    rule('deny', 'no secrets', { when: { tool: 'notes/*', args: { text: '*secret*' } } }),
    rule('allow', 'drafts are fine', { when: { tool: 'notes/*', args: { text: 'draft*' } } }),
  ],
};

/** What a face makes of a call that a rule allows, of one that a rule denies, and of a wrong one. */
async function callThree(call: (args: JsonObject) => Promise<string>): Promise<readonly string[]> {
  return [await call({ text: 'draft' }), await call({ text: 'a secret' }), await call({ text: 7 })];
}

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };

function callOf(hub: Hub): (args: JsonObject) => Promise<string> {
  return async (args) => {
    try {
      return (await hub.tools.call({ tool: 'notes/create_note', args })).allowedBy;
    } catch (error) {
      return (error as { code: string }).code; // only PlugErrors leave a hub
    }
  };
}

verifies(
  ['L1', 'P1'],
  'library, socket and command line go the same path: the same rule decides, and stands in the record',
  async () => {
    const tool = { ...writing(), inputSchema };
    const seen: Record<string, readonly string[]> = {};
    const world = await openWorld([tool]);
    writeFileSync(`${world.config}/rules.json`, JSON.stringify(rules));
    const socket = world.connect();
    await waitFor(async () => (await socket.policy.rules()).rules.length === 2, 10_000);
    seen['socket'] = await callThree(callOf(socket));
    const decided = (await socket.audit.query()).records.map(({ by, effect }) => [effect, by]);
    expect(decided).toEqual([
      ['deny', { kind: 'rule', name: 'no secrets' }],
      ['allow', { kind: 'rule', name: 'drafts are fine' }],
    ]);

    const notes = played('notes', tool);
    await withHub({ approve: 'nobody', config: world.config }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      seen['library'] = await callThree(callOf(hub));
    });

    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    writeFileSync(`${plug.home}/plug/rules.json`, JSON.stringify(rules));
    const own = played('notes', tool);
    expect((await plug('add', 'notes', '--yes', '--', ...own.command)).code).toBe(0);
    seen['command line'] = await callThree(async (args) => {
      const { stdout } = await plug('--json', 'call', 'notes/create_note', '--args', JSON.stringify(args));
      const { error, allowedBy } = JSON.parse(stdout) as { error?: { code: string }; allowedBy?: string };
      return error?.code ?? allowedBy ?? '';
    });

    expect(seen['socket']?.[0]).toContain('drafts are fine');
    expect(seen['socket']?.slice(1)).toEqual(['denied', 'bad_arguments']);
    expect(seen['library']).toEqual(seen['socket']);
    expect(seen['command line']).toEqual(seen['socket']);
    for (const server of [world.notes, notes, own]) {
      expect(server.calls().map(({ args }) => args)).toEqual([{ text: 'draft' }]);
    }
  },
  LONG_MS,
);

verifies(
  ['L1'],
  'reading resources and prompts never calls a tool, whatever their names',
  async () => {
    const notes = played('notes', writing());
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      const names = ['create_note', 'notes/create_note', 'tools/call', 'mcp__notes__create_note'];
      for (const name of names) {
        await expect(hub.prompts.get({ server: 'notes', name, args: {} })).rejects.toThrow();
        await expect(hub.resources.read({ server: 'notes', uri: `tool://${name}` })).rejects.toThrow();
        await expect(hub.resources.read({ server: 'notes', uri: name })).rejects.toThrow();
      }
      expect(notes.calls()).toEqual([]);
    });
  },
  LONG_MS,
);

verifies(
  ['L1', 'T5'],
  'a model may use the names that it was shown, of the tool and of its arguments; rules see the real ones',
  async () => {
    const odd = {
      ...reading('list-items'),
      inputSchema: {
        type: 'object',
        properties: {
          $top: { type: 'integer' },
          'filter[id]': { type: 'object', properties: { '@type': { type: 'string' } } },
          plain: { type: 'string' },
        },
        required: ['$top'],
        additionalProperties: false,
      },
    };
    const shop = played('shop', odd);
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition: shop.definition });
      const { tools, names } = await hub.tools.render({ format: 'anthropic' });
      const [name = ''] = Object.keys(names);
      expect(names[name]).toBe('shop/list-items');
      const { properties } = (tools[0] as unknown as ShownTool).input_schema; // Anthropic's own shape
      const [top = '', filter = '', plain = ''] = Object.keys(properties);
      expect([top === '$top', filter === 'filter[id]', plain]).toEqual([false, false, 'plain']);
      const [type = ''] = Object.keys(properties[filter]?.properties ?? {});
      await hub.tools.call({ tool: name, args: { [top]: 3, [filter]: { [type]: 'x' }, plain: 'p' } });
      await hub.tools.call({ tool: 'shop/list-items', args: { $top: 3 } });
      await expect(hub.tools.call({ tool: name, args: { [top]: 'three' } })).rejects.toMatchObject({
        code: 'bad_arguments',
        details: { field: '$top' },
      });
      const whole = { $top: 3, 'filter[id]': { '@type': 'x' }, plain: 'p' };
      expect(shop.calls().map(({ args }) => args)).toEqual([whole, { $top: 3 }]);
      expect((await hub.audit.query()).records.map(({ args }) => args)).toEqual([{ $top: 3 }, whole]);
    });
  },
  LONG_MS,
);

interface ShownTool {
  readonly input_schema: {
    readonly properties: Readonly<Record<string, { readonly properties?: JsonObject }>>;
  };
}
