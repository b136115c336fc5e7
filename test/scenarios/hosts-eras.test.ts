import { expect } from 'vitest';
import type { HostRequest } from '../../src/connections/host.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { startHttpFixture, stdioCommand } from '../conformance/server/fixture-process.ts';
import { verifies } from '../requirements.ts';
import { echoServer } from './echo-server.ts';
import { hostCalled } from './hosts-world.ts';
import { local, remote, textOf, withHub } from './lifecycle-hub.ts';

const [command = '', ...args] = stdioCommand;
const dual = defineServer({ id: 'dual', endpoint: { kind: 'stdio', command, args, env: {} } });
const SLOW = 40_000;

/** A legacy host that answers forms, or one that can answer nothing. */
async function attach(hub: Hub, name: string, answers = true): Promise<{ id: string; asked: HostRequest[] }> {
  const { handlers, asked } = hostCalled(name);
  const { id } = await hub.hosts.attach({ name, era: 'legacy', handlers: answers ? handlers : {} });
  return { id, asked };
}

const ask = (hub: Hub, host: string, server = 'dual'): Promise<string> =>
  textOf(hub, `${server}/test_elicitation`, { message: 'Who?' }, host);

verifies(
  ['G2', 'C2', 'C15'],
  'a server of both eras asks a legacy host, although it is usually spoken to in the modern one',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [dual] });
      const { id, asked } = await attach(hub, 'ada');
      expect(await ask(hub, id)).toContain('"name":"ada"');
      expect(asked).toHaveLength(1);
      // One that cannot be asked is served as before.
      const mute = await attach(hub, 'bob', false);
      expect(await textOf(hub, 'dual/test_simple_text', {}, mute.id)).not.toBe('');
      expect(spawns()).toBe(2);
      // What is known of the server is what it says in the modern era.
      expect(await hub.servers.get({ id: 'dual' })).toMatchObject({ era: 'modern' });
      // It asks: now each legacy host that answers has its own link.
      const other = await attach(hub, 'eve');
      expect(await ask(hub, other.id)).toContain('"name":"eve"');
      expect([asked.length, other.asked.length]).toEqual([1, 1]);
    });
  },
  SLOW,
);

verifies(
  ['G2', 'C2'],
  'a remote server of both eras asks a legacy host',
  async () => {
    await using fixture = await startHttpFixture();
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [remote('far', fixture.url)] });
      const { id } = await attach(hub, 'ada');
      expect(await ask(hub, id, 'far')).toContain('"name":"ada"');
    });
  },
  SLOW,
);

verifies(
  ['C2'],
  'a server of the modern era alone is tried once in the other, and then serves legacy hosts in its own',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [local('new', 'modern')] });
      const { id, asked } = await attach(hub, 'ada');
      expect(await textOf(hub, 'new/ask', {}, id)).toContain('"name":"ada"');
      expect(asked).toHaveLength(1);
      expect(spawns()).toBe(2);
      const other = await attach(hub, 'bob');
      await textOf(hub, 'new/ask', {}, other.id);
      expect(spawns()).toBe(2);
    });
  },
  SLOW,
);

verifies(
  ['C2', 'C10'],
  'a tool that appears on the legacy connection of such a server is listed, and the rest stays as it was',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [dual] });
      const { id } = await attach(hub, 'ada');
      await ask(hub, id);
      const before = (await hub.tools.list({ server: 'dual' })).tools.map(({ name }) => name);
      await textOf(hub, 'dual/test_trigger_tool_change', {}, id);
      await expect
        .poll(async () => (await hub.tools.list({ server: 'dual' })).tools.length)
        .toBe(before.length + 1);
      expect(await hub.servers.get({ id: 'dual' })).toMatchObject({ era: 'modern' });
    });
  },
  SLOW,
);

verifies(['C15', 'G2'], 'completions are asked for although the server did not declare them', async () => {
  await withHub({}, async ({ hub }) => {
    await hub.servers.apply({ definitions: [echoServer('new', 'modern'), echoServer('old', 'legacy')] });
    const argument = { name: 'city', value: 'pa' };
    for (const server of ['new', 'old']) {
      const ref = { type: 'ref/prompt', name: 'greet' };
      expect(await hub.prompts.complete({ server, ref, argument })).toMatchObject({
        completion: { values: ['paris'] },
      });
    }
  });
});
