import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defineServer, openPlugboard, PlugError, type Hub, type HubEvent } from '../../src/index.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { yesToAll } from '../yes-to-all.ts';

async function open(): Promise<Hub> {
  const home = temporaryFolder();
  return openPlugboard({ home, cwd: home, storage: { kind: 'memory' }, approve: yesToAll });
}

verifies(['B1'], 'a program plugs in a server, lists, calls, reads, and gets events, all typed', async () => {
  await using plugboard = await open();
  const events: HubEvent[] = [];
  const watching = (async () => {
    for await (const event of plugboard.watch()) events.push(event);
  })();
  const { command, args } = stdioFixture('dual');
  const { summary } = await plugboard.servers.add({
    definition: defineServer({ id: 'demo', endpoint: { kind: 'stdio', command, args, env: {} } }),
  });
  expect(summary).toMatch(/^Connected to Fixture server, \d+ tools including echo, add, env\.$/);
  const { tools } = await plugboard.tools.list();
  expect(tools.map((tool) => tool.ref)).toContain('demo/echo');
  const { result, isError } = await plugboard.tools.call({ tool: 'demo/echo', args: { message: 'hi' } });
  expect(isError).toBe(false);
  expect(result['content']).toEqual([{ type: 'text', text: 'hi' }]);
  const { resources } = await plugboard.resources.list({ server: 'demo' });
  expect(resources.length).toBeGreaterThan(0);
  const { prompts } = await plugboard.prompts.list({ server: 'demo' });
  expect(prompts.length).toBeGreaterThan(0);
  await plugboard.close();
  await watching;
  expect(events.map((event) => event.kind)).toEqual(
    expect.arrayContaining(['server-state', 'manifest-change']),
  );
});

/** Not named in the import, so that types do not depend on a build. */
const BUILT = new URL('../../dist/index.js', import.meta.url).href;

/** Wrong in one place each, as a program without types gives them. */
const WRONG = [
  [{ id: 'demo' }, 'definition.endpoint'],
  [{ id: 'demo', endpoint: { kind: 'stdio' } }, 'definition.endpoint.command'],
  [{ id: 'demo', endpoint: { kind: 'stdio', command: '' } }, 'definition.endpoint.command'],
  [{ id: 'demo', endpoint: { kind: 'http', url: 7 } }, 'definition.endpoint.url'],
] as const;

for (const kind of ['own', 'shared'] as const)
  verifies(
    ['B1'],
    `a program gives a name and a command, or a name and an address, and nothing more (${kind} hub)`,
    async () => {
      const home = temporaryFolder();
      const env = { ...process.env, PLUG_HOME: home, PLUG_NO_KEYRING: '1' };
      // As users have it: the built package.
      const { openPlugboard: openBuilt } = (await import(BUILT)) as typeof import('../../src/index.ts'); // built from it
      const approve = kind === 'own' ? { approve: yesToAll } : {};
      const hub = await openBuilt({ hub: kind, env, cwd: home, ...approve });
      await using listener = await startHttpFixture('modern');
      try {
        for (const [given, field] of WRONG) {
          // A wrong value is the point of it.
          const failure = await hub.servers
            .add({ definition: given as never })
            .catch((error: unknown) => error);
          expect({ given, failure }).toMatchObject({
            failure: { code: 'usage', owner: 'you', details: { field } },
          });
        }
        const named = await hub.servers
          .add({ definition: { id: 'No Name!', endpoint: { kind: 'http', url: listener.url } } })
          .catch((error: unknown) => error);
        expect(named).toMatchObject({ code: 'usage', owner: 'you' });
        expect((await hub.servers.list()).servers).toEqual([]);

        const command = join(home, 'server');
        const fixture = stdioFixture('dual');
        writeFileSync(command, `#!/bin/sh\nexec '${[fixture.command, ...fixture.args].join("' '")}'\n`, {
          mode: 0o755,
        });
        await hub.servers.add({ definition: { id: 'local', endpoint: { kind: 'stdio', command } } });
        await hub.servers.add({
          definition: { id: 'remote', endpoint: { kind: 'http', url: listener.url } },
        });
        for (const id of ['local', 'remote']) {
          await hub.grants.add({ tool: `${id}/echo` });
          const { result } = await hub.tools.call({ tool: `${id}/echo`, args: { message: 'hi' } });
          expect(result['content']).toEqual([{ type: 'text', text: 'hi' }]);
          expect(await hub.servers.definition({ id })).toMatchObject({
            id,
            name: id,
            enabled: true,
            sharing: 'auto',
          });
        }
      } finally {
        const { pid } = await hub.status();
        if (pid !== process.pid) process.kill(pid, 'SIGTERM');
        await hub.close();
      }
    },
    60_000,
  );

verifies(['B1'], 'a failure is one kind of error, with its owner and the next step', async () => {
  await using plugboard = await open();
  const failure = await plugboard.tools.call({ tool: 'none/such' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PlugError);
  expect(failure).toMatchObject({ code: 'not_found', owner: 'you', next: 'plug list' });
});

verifies(
  ['B1'],
  'the same program works on the user’s shared hub, which starts by itself',
  async () => {
    const home = temporaryFolder();
    const env = { ...process.env, PLUG_HOME: home };
    const shared = await openPlugboard({ hub: 'shared', env, cwd: home });
    try {
      const { command, args } = stdioFixture('modern');
      await shared.servers.add({
        definition: defineServer({ id: 'demo', endpoint: { kind: 'stdio', command, args, env: {} } }),
      });
      await shared.grants.add({ tool: 'demo/echo' });
      const second = await openPlugboard({ hub: 'shared', env, cwd: home });
      const { result } = await second.tools.call({ tool: 'demo/echo', args: { message: 'shared' } });
      expect(result['content']).toEqual([{ type: 'text', text: 'shared' }]);
      expect((await second.status()).pid).not.toBe(process.pid);
    } finally {
      const { pid } = await shared.status();
      process.kill(pid, 'SIGTERM');
      await shared.close();
    }
  },
  30_000,
);
