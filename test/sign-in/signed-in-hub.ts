import { join } from 'node:path';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Limits } from '../../src/base/limits.ts';
import type { AccountView, Hub, SignInRequest } from '../../src/hub/hub.ts';
import { openHub, type RootHub } from '../../src/hub/open-hub.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { browse } from './browser.ts';
import { yesToAll } from '../yes-to-all.ts';

export interface SignedInHubOptions {
  /** Where the database is shared with other processes; else everything stays in memory. */
  readonly folder?: string;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
}

/** A hub whose vault asks nobody for a key. */
export function openTestHub(options: SignedInHubOptions = {}): Promise<RootHub> {
  const folder = options.folder ?? '/nowhere';
  return openHub({
    paths: { config: join(folder, 'config'), data: folder, state: folder },
    cwd: join(folder, 'project'),
    env: {
      PLUG_NO_KEYRING: '1',
      PLUG_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...options.env,
    },
    version: '0.1.0',
    storage:
      options.folder === undefined
        ? { kind: 'memory' }
        : { kind: 'sqlite', file: join(folder, 'plugboard.db') },
    clock: options.clock ?? systemClock,
    approve: yesToAll,
    // Many calls at once are what these tests are about.
    limits: { approvalsPerRequesterMax: 1_000, approvalsMax: 1_000, ...options.limits },
  });
}

export function remoteServer(url: string, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return defineServer({ id: 'site', endpoint: { kind: 'http', url, headers: {} }, ...more });
}

/** Signs in as a person with a browser does; answers every address that was to be opened, too. */
export async function signIn(
  hub: Hub,
  request: SignInRequest = { server: 'site' },
  browsing: Parameters<typeof browse>[1] = {},
): Promise<{ readonly account: AccountView; readonly opened: readonly string[] }> {
  const opened: string[] = [];
  const visits: Promise<unknown>[] = [];
  const account = await hub.accounts.signIn(request, {
    onProgress: ({ address }) => {
      opened.push(address);
      visits.push(Promise.allSettled([browse(address, browsing)]));
    },
  });
  await Promise.all(visits);
  return { account, opened };
}

/** The text of the first part of a tool's answer. */
export async function callTool(
  hub: Hub,
  tool: string,
  args: JsonObject = {},
  account?: string,
): Promise<string> {
  const { result } = await hub.tools.call({ tool, args, ...(account === undefined ? {} : { account }) });
  const [first] = result['content'] as { readonly text?: string }[]; // the fixtures answer so
  return first?.text ?? '';
}

/** The system's clock, as far ahead as told. Timers run as ever. */
export function clockAhead(ms: () => number): Clock {
  return { ...systemClock, now: () => systemClock.now() + ms() };
}
