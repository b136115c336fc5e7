import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openAgent } from '../../src/agent/open-agent.ts';
import { toPlugError } from '../../src/base/errors.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { commandsOn } from '../contracts/commands-on.ts';
import { QUICK, user } from '../models/agent-world.ts';
import { verifies } from '../requirements.ts';
import { installIn } from './configuring-world.ts';
import { startKeyedServer, type KeyedServer } from './keyed-server.ts';
import { openWorld } from './policy-world.ts';

const LONG_MS = 60_000;
const GOOD = 'good-canary-7f3a9b2c5d8e1f40';
const WRONG = 'wrong-canary-1b2c5d8e1f407f3a';
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1', ...NOBODY };

interface Given {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  readonly test?: boolean;
  readonly replace?: boolean;
}

/** How it ended: saved, or the code of the failure. */
type Ended = { readonly saved: true; readonly tested: boolean } | { readonly failed: string };

type Face = (hub: Hub, given: Given, folder: string) => Promise<Ended>;

const pasted = ({ url, headers, enabled = true }: Given): string =>
  JSON.stringify({ mcpServers: { notes: { url, headers, ...(enabled ? {} : { disabled: true }) } } });

async function ended(work: Promise<{ readonly tested: boolean }>): Promise<Ended> {
  try {
    return { saved: true, tested: (await work).tested };
  } catch (error) {
    return { failed: toPlugError(error).code };
  }
}

async function planned(hub: Hub, given: Given): Promise<string> {
  return (await hub.plans.make({ text: pasted(given) })).plans[0]?.plan ?? 'no plan';
}

const FACES: Readonly<Record<string, Face>> = {
  'a definition over the API': (hub, { url, headers, enabled = true, test = true, replace = false }) => {
    const definition = { id: 'notes', endpoint: { kind: 'http', url, headers }, enabled } as const;
    return ended(hub.servers.add({ definition, test, replace }));
  },
  'a plan over the API': async (hub, given) => {
    const { test = true, replace = false } = given;
    return ended(hub.plans.install({ plan: await planned(hub, given), test, replace }));
  },
  'the page, which tests and then adds': async (hub, given) => {
    const { test = true, replace = false, enabled = true } = given;
    const plan = await planned(hub, given);
    const tried = await ended(hub.plans.try({ plan }).then(() => ({ tested: true })));
    const added = await ended(hub.plans.install({ plan, test, replace }));
    // What is tried and what is added cannot disagree.
    if (test && enabled) expect(added).toEqual(tried);
    return added;
  },
  'the page, where a server is edited': (hub, given) => {
    const { url, headers, enabled = true, test = true, replace = false } = given;
    const names = Object.keys(headers);
    const secrets = Object.fromEntries(names.map((name) => [`notes/${name}`, headers[name] ?? '']));
    const references = Object.fromEntries(names.map((name) => [name, `\${vault:notes/${name}}`]));
    const endpoint = { kind: 'http', url, headers: references } as const;
    return ended(hub.servers.add({ definition: { id: 'notes', endpoint, enabled }, secrets, test, replace }));
  },
  'the command line': async (hub, given, folder) => {
    const file = join(folder, 'pasted.json');
    writeFileSync(file, pasted(given));
    const words = [...(given.replace ? ['--replace'] : []), ...(given.test === false ? ['--no-test'] : [])];
    const { code, stdout } = await commandsOn(hub)(['add', file, '--yes', '--json', ...words]);
    // The document of one outcome, or of one error.
    const document = JSON.parse(stdout) as { tested?: boolean; error?: { code: string } };
    if (code !== 0) return { failed: document.error?.code ?? `exit ${code}: ${stdout}` };
    return { saved: true, tested: document.tested ?? false };
  },
  'the command line with a name and an address': async (hub, given) => {
    const headers = Object.entries(given.headers).flatMap(([name, value]) => [
      '--header',
      `${name}: ${value}`,
    ]);
    const words = [...(given.replace ? ['--replace'] : []), ...(given.test === false ? ['--no-test'] : [])];
    const typed = ['add', 'notes', given.url, ...headers, '--yes', '--json', ...words];
    const { code, stdout } = await commandsOn(hub)(typed);
    const document = JSON.parse(stdout) as { tested?: boolean; error?: { code: string } };
    if (code !== 0) return { failed: document.error?.code ?? `exit ${code}: ${stdout}` };
    return { saved: true, tested: document.tested ?? false };
  },
  'the configuration agent': async (hub, given) => {
    const { configuring } = await openAgent(hub, { limits: QUICK });
    const { proposals } = await configuring.turn({ messages: [user(pasted(given))] }, {});
    const { test = true, replace = false } = given;
    const { plan } = installIn(proposals).plan;
    return ended(hub.plans.install({ plan, test, replace }));
  },
};

interface Case {
  readonly header: string;
  readonly good: string;
  readonly wrong: string;
  readonly status: 401 | 403;
}

const REFUSALS: Readonly<Record<string, Case>> = {
  '401 to a bearer': {
    header: 'Authorization',
    good: `Bearer ${GOOD}`,
    wrong: `Bearer ${WRONG}`,
    status: 401,
  },
  '403 to a bearer': {
    header: 'Authorization',
    good: `Bearer ${GOOD}`,
    wrong: `Bearer ${WRONG}`,
    status: 403,
  },
  '401 to X-API-Key': { header: 'X-API-Key', good: GOOD, wrong: WRONG, status: 401 },
  '403 to X-API-Key': { header: 'X-API-Key', good: GOOD, wrong: WRONG, status: 403 },
  '401 to a header of its own': { header: 'X-Acme-Token', good: GOOD, wrong: WRONG, status: 401 },
};

async function openTable({ header, good, status }: Case): Promise<{
  readonly hub: Hub;
  readonly data: string;
  readonly server: KeyedServer;
}> {
  const server = await startKeyedServer({ header, value: good, status });
  const { connect, config: data } = await openWorld([], { env });
  return { hub: connect('terminal'), data, server };
}

/** Neither a row nor a key, and no key in readable form anywhere in the database. */
async function expectNothing(hub: Hub, data: string): Promise<void> {
  expect((await hub.servers.list()).servers).toEqual([]);
  expect(await hub.secrets.list()).toEqual([]);
  expect(await hub.servers.events()).toEqual([]);
  expectUnreadable(data);
}

function expectUnreadable(data: string): void {
  for (const name of ['plugboard.db', 'plugboard.db-wal']) {
    const file = join(data, name);
    if (!existsSync(file)) continue;
    const bytes = readFileSync(file);
    expect([bytes.includes(GOOD), bytes.includes(WRONG)]).toEqual([false, false]);
  }
}

/** Of every server that was saved: its definition as stored, and the names in the vault. */
async function stored(hub: Hub): Promise<unknown> {
  return [await hub.servers.definition({ id: 'notes' }), await hub.secrets.list()];
}

for (const [face, add] of Object.entries(FACES)) {
  describe(face, () => {
    for (const [what, refusal] of Object.entries(REFUSALS)) {
      const { header, good, wrong } = refusal;
      verifies(
        ['S17', 'V2'],
        `${what}: a wrong key saves nothing, and the right one is saved`,
        async () => {
          const { hub, data, server } = await openTable(refusal);
          const { url } = server;
          const refused = await add(hub, { url, headers: { [header]: wrong } }, data);
          expect(refused).toEqual({ failed: 'sign_in_needed' });
          await expectNothing(hub, data);
          expect(await add(hub, { url, headers: { [header]: good } }, data)).toEqual({
            saved: true,
            tested: true,
          });
          expect(await hub.secrets.list()).toHaveLength(1);
          expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ state: { kind: 'ready' } });
          expectUnreadable(data);
        },
        LONG_MS,
      );

      verifies(
        ['S17', 'V2'],
        `${what}: a wrong key does not replace what works`,
        async () => {
          const { hub, data, server } = await openTable(refusal);
          const { url, seen } = server;
          await add(hub, { url, headers: { [header]: good } }, data);
          const before = await stored(hub);
          const refused = await add(hub, { url, headers: { [header]: wrong }, replace: true }, data);
          expect(refused).toEqual({ failed: 'sign_in_needed' });
          expect(await stored(hub)).toEqual(before);
          // The key that works is still the one that is sent.
          await hub.servers.restart({ id: 'notes' });
          expect(seen.at(-1)).toBe(good);
          expectUnreadable(data);
        },
        LONG_MS,
      );
    }

    const CASE = REFUSALS['401 to X-API-Key'];
    if (!CASE) throw new Error('the table has lost its row');
    const { header, wrong } = CASE;

    // A command line with a name and an address cannot say that an entry is disabled.
    if (face !== 'the command line with a name and an address') {
      verifies(
        ['S17', 'V2'],
        'a disabled entry is saved as disabled with its key, and nothing is sent',
        async () => {
          const { hub, data, server } = await openTable(CASE);
          const sentBefore = face.startsWith('the page, which') ? 1 : 0;
          const headers = { [header]: wrong };
          const saved = await add(hub, { url: server.url, headers, enabled: false }, data);
          expect(saved).toEqual({ saved: true, tested: false });
          expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ state: { kind: 'disabled' } });
          expect(await hub.secrets.list()).toHaveLength(1);
          expect(new Set(server.seen).size).toBeLessThanOrEqual(sentBefore);
          expectUnreadable(data);
        },
        LONG_MS,
      );
    }

    verifies(
      ['S17', 'V2'],
      'without a test it is saved with its key, and said to be untested',
      async () => {
        const { hub, data, server } = await openTable(CASE);
        const headers = { [header]: wrong };
        const saved = await add(hub, { url: server.url, headers, test: false }, data);
        expect(saved).toEqual({ saved: true, tested: false });
        expect(await hub.secrets.list()).toHaveLength(1);
        expectUnreadable(data);
      },
      LONG_MS,
    );
  });
}
