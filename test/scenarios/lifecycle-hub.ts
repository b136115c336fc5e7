import { expect } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import type { Limits } from '../../src/base/limits.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { HostHandlers } from '../../src/connections/host.ts';
import { carriersOf } from '../../src/connections/processes/process-table.ts';
import type { ServerState } from '../../src/connections/state.ts';
import type { Hub, HubEvent } from '../../src/hub/hub.ts';
import { openHub, type HubOptions, type RootHub } from '../../src/hub/open-hub.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import type { StorageOptions } from '../../src/storage/open.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { type FixtureParams, stdioFixture, waitFor } from '../servers/start.ts';
import { yesToAll } from '../yes-to-all.ts';

export interface TestHubOptions {
  readonly limits?: Partial<Limits>;
  readonly handlers?: HostHandlers;
  readonly storage?: StorageOptions;
  readonly clock?: Clock;
  readonly folder?: string;
  /** The user's own config folder. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: somebody who approves every call. With nobody a call is refused unless it waits. */
  readonly approve?: HubOptions['approve'] | 'nobody';
}

export interface TestHub {
  readonly hub: RootHub;
  readonly folder: string;
  /** Everything that happened since the hub was opened. */
  readonly seen: readonly HubEvent[];
  /** How many processes were started for servers so far. */
  readonly spawns: () => number;
}

/** Limits that make a test of minutes one of moments. */
export const QUICK: Partial<Limits> = { restartBackoffBaseMs: 20, restartBackoffMaxMs: 80 };

/** Opens a hub, runs the test on it, closes it, and proves that no process of a server is left. */
export async function withHub(options: TestHubOptions, run: (test: TestHub) => Promise<void>): Promise<void> {
  const folder = options.folder ?? temporaryFolder();
  const markers: string[] = [];
  const next = (prefix: string): string => {
    const id = systemIds.next(prefix);
    if (prefix === 'tree') markers.push(id);
    return id;
  };
  const hub = await openHub({
    paths: { config: options.config ?? `${folder}/config`, data: folder, state: folder },
    cwd: folder,
    env: { PATH: process.env['PATH'], ...options.env },
    version: '0.1.0',
    storage: options.storage ?? { kind: 'memory' },
    clock: options.clock ?? systemClock,
    ids: { ...systemIds, next },
    ...(options.approve === 'nobody' ? {} : { approve: options.approve ?? yesToAll }),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.handlers ? { handlers: options.handlers } : {}),
  });
  const seen: HubEvent[] = [];
  const watching = (async () => {
    for await (const event of hub.watch()) seen.push(event);
  })();
  try {
    await run({ hub, folder, seen, spawns: () => markers.length });
  } finally {
    await hub.close();
    await watching;
  }
  const left = await Promise.all(markers.map((marker) => carriersOf(marker)));
  expect(left.flat(), 'processes that outlived their hub').toEqual([]);
}

/** A definition of a fixture that speaks over stdio. */
export function local(
  id: string,
  behavior: string,
  params: FixtureParams = {},
  more: Partial<ServerDefinition> = {},
): ServerDefinition {
  const { command, args } = stdioFixture(behavior, params);
  return defineServer({ id, endpoint: { kind: 'stdio', command, args, env: {} }, ...more });
}

export function remote(id: string, url: string, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return defineServer({ id, endpoint: { kind: 'http', url, headers: {} }, ...more });
}

/** Calls a tool and answers with its text. */
export async function textOf(hub: Hub, tool: string, args: JsonObject = {}, host?: string): Promise<string> {
  const { result } = await hub.tools.call({ tool, args, ...(host === undefined ? {} : { host }) });
  const [first] = result['content'] as { readonly text?: string }[]; // the fixtures answer so
  return first?.text ?? '';
}

export async function stateOf(hub: Hub, id: string): Promise<ServerState> {
  return (await hub.servers.get({ id })).state;
}

export async function waitForState(
  hub: Hub,
  id: string,
  kind: ServerState['kind'],
  ms = 10_000,
): Promise<void> {
  await waitFor(async () => {
    const state = await stateOf(hub, id);
    if (state.kind === kind) return true;
    throw new Error(`${id} is ${JSON.stringify(state)}`);
  }, ms);
}

/** The kinds of a server's kept events, oldest first. */
export async function historyOf(hub: Hub, id: string): Promise<readonly string[]> {
  const events = await hub.servers.events({ server: id });
  return events.toReversed().map(({ kind, by }) => `${kind} ${by}`);
}
