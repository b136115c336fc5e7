import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { openAgent } from '../../src/agent/open-agent.ts';
import { connectHub } from '../../src/api/client.ts';
import { fetchSend } from '../../src/api/fetch-send.ts';
import { toPlugError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import type { Paths } from '../../src/base/paths.ts';
import { connectSocket } from '../../src/daemon/connect.ts';
import { runHub } from '../../src/daemon/run-hub.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub, type RootHub } from '../../src/hub/open-hub.ts';
import type { Operation } from '../../src/hub/operations/operation.ts';
import { operations } from '../../src/hub/operations/table.ts';
import { LOCAL } from '../../src/hub/principal.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { registriesAt } from '../scenarios/registry-listener.ts';
import { stdioFixture } from '../servers/start.ts';
import { inputsOf, type Known } from './generate-input.ts';

/** Operations that are not tried here, each with the reason. */
const UNTRIED: Readonly<Record<string, string>> = {};

/** What is meant by a field's name: the fixture and what it offers. `undefined` leaves a field out. */
const KNOWN: Known = {
  server: 'box',
  ids: ['box'],
  tool: 'box/echo',
  ref: 'box/echo',
  uri: 'test://watched',
  timeoutMs: 10_000,
  // There is no such host, profile or account: with one, every operation would fail alike.
  host: undefined,
  profile: undefined,
  account: undefined,
};

const COMPATIBLE: Known = { provider: 'compatible', url: 'http://127.0.0.1:9/v1' };

/** What makes an operation do its work, and keeps it on this machine. */
const KNOWN_OF: Readonly<Record<string, Known>> = {
  servers: { id: 'box' },
  'servers.trust': { fingerprint: undefined },
  'tools.call': {
    args: { message: 'hi' },
    approval: 'refuse',
    consent: undefined,
    task: undefined,
    passTask: undefined,
  },
  'tools.approve': { hash: undefined },
  'policy.explain': { args: { message: 'hi' } },
  'prompts.get': { name: 'greet', args: { who: 'Ada', style: 'short' } },
  'prompts.complete': {
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'style', value: 'f' },
    context: undefined,
  },
  'prompts.setLogLevel': { level: 'info' },
  'models.save': COMPATIBLE,
  'models.offered': COMPATIBLE,
  'secrets.rotate': { to: 'file' },
  'audit.summary': { since: 0, until: 1_000 },
};

const NO_REGISTRY = registriesAt({ official: 'http://127.0.0.1:9' });
/** The same asks on every way. */
const CLIENT = { id: 'parity-test', kind: 'library', principal: LOCAL } as const;
const TIMEOUT_MS = 120_000;
type Way = 'in this process' | 'over the socket' | 'over HTTP';

describe('an operation answers the same in this process, over the socket and over HTTP', () => {
  const open = new AsyncDisposableStack();
  const hubs = new Map<Way, { readonly hub: Hub; readonly home: string }>();
  const opening = (paths: Paths): Promise<RootHub> =>
    openHub({
      paths,
      cwd: paths.state,
      env: { ...process.env, ...NO_REGISTRY, PLUG_NO_KEYRING: '1' },
      version: '1.0.0',
      openAgent,
    });

  const newFolder = (): string => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plug-')));
    open.defer(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  beforeAll(async () => {
    // Other clients' files are looked for there: none of this machine's are read.
    vi.stubEnv('HOME', newFolder());
    for (const way of ['in this process', 'over the socket', 'over HTTP'] as const) {
      const home = newFolder();
      const paths = { config: home, data: home, state: home };
      const hub =
        way === 'in this process' ? open.use(await opening(paths)).as(CLIENT) : await behind(paths, way);
      hubs.set(way, { hub, home });
    }
  }, TIMEOUT_MS);
  afterAll(() => open.disposeAsync(), TIMEOUT_MS);

  async function behind(paths: Paths, way: Way): Promise<Hub> {
    const parts = { clock: systemClock, ids: systemIds, logger: silentLogger };
    const { address } = open.use(
      await runHub({ paths, version: '1.0.0', open: () => opening(paths), ...parts }),
    );
    const token = readFileSync(address.tokenFile, 'utf8').trim();
    const send = way === 'over HTTP' ? fetchSend({ url: address.url, token }) : connectSocket(paths);
    return open.use(connectHub(send, CLIENT));
  }

  for (const [area, rows] of Object.entries<Readonly<Record<string, Operation>>>(operations)) {
    for (const [method, row] of Object.entries(rows)) {
      const name = `${area}.${method}`;
      if (!row.route || name in UNTRIED) continue;
      verifies(
        ['H1'],
        name,
        async () => {
          const inputs = inputsOf(row, { ...KNOWN, ...KNOWN_OF[area], ...KNOWN_OF[name] });
          await Promise.all([...hubs.values()].map(({ hub }) => prepare(hub)));
          for (const [kind, input] of Object.entries(inputs)) {
            const answers = new Map<Way, unknown>(
              await Promise.all(
                [...hubs].map(async ([way, { hub, home }]): Promise<[Way, unknown]> => [
                  way,
                  comparable(await answerOf(hub, area, method, input), home),
                ]),
              ),
            );
            const here = answers.get('in this process');
            for (const [way, answer] of answers) {
              expect({ kind, input, way, answer }).toEqual({ kind, input, way, answer: here });
            }
            if (kind === 'invalid') expect(here).toEqual({ error: 'usage' });
          }
        },
        TIMEOUT_MS,
      );
    }
  }
});

const { command, args } = stdioFixture('legacy');
const box = defineServer({ id: 'box', endpoint: { kind: 'stdio', command, args, env: {} } });

/** How the server is shown when it is as it should be. */
let target: string | undefined;

/** Whatever was tried before, the server is there as it was, trusted, switched on and running. */
async function prepare({ servers }: Hub): Promise<void> {
  const id = 'box';
  const before = await servers.get({ id }).catch(() => undefined);
  if (before === undefined || before.target !== target) {
    const { server } = await servers.add({ definition: box, replace: true });
    ({ target } = server);
  }
  if (before?.enabled !== true) await servers.enable({ id });
  if (before?.readOnly !== false) await servers.setReadOnly({ id, readOnly: false });
  if (before?.trust !== 'kept') await servers.trust({ id });
  if (before?.state.kind !== 'ready') await servers.start({ id });
}

/** The result, or the code of the error. */
async function answerOf(hub: Hub, area: string, method: string, input: object): Promise<unknown> {
  type Method = (input: object) => Promise<unknown>;
  const api = hub[area as keyof Hub] as unknown as Readonly<Record<string, Method>>; // an area of the table
  try {
    return { result: await api[method]?.(input) };
  } catch (error) {
    return { error: toPlugError(error).code };
  }
}

/** As JSON, without what differs between any two hubs: places, ids, times, sizes of processes. */
function comparable(answer: unknown, home: string): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (DIFFERS.test(key)) return undefined;
    return typeof value === 'number' && value > 1e12 ? '<time>' : value;
  });
  return JSON.parse(text.replaceAll(home, '<home>').replaceAll(MADE, '<made>'));
}

/** Of processes and moments, and the figures of a thread that counts beside all else. */
const DIFFERS =
  /^(pid|startTime|memoryBytes|processes|durationMs|ms|hash|token|tokens|argsHash|fingerprint|seq|lastUsedAt)$/;
/** Ids that the hub draws, digests, and moments in words. */
const MADE = /\b[a-z]+_[\w-]{16,}|\b[0-9a-f]{32,64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|\bpid \d+|\b\d+ ms\b/g;
