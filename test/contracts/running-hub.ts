import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Paths } from '../../src/base/paths.ts';
import { connectSocket } from '../../src/daemon/connect.ts';
import type { Send } from '../../src/api/send.ts';
import { runHub, type RunHubOptions, type RunningHub } from '../../src/daemon/run-hub.ts';
import type { FoldersHub } from '../../src/api/folders.ts';
import { openHub, type HubOptions, type RootHub } from '../../src/hub/open-hub.ts';

/** All of a hub's files in one new folder that goes when the test ends. */
export function temporaryPaths(): Paths {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'plug-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { config: home, data: home, state: home };
}

/** Opens a real hub in this process, on a database in memory and without servers. The caller closes it. */
export function openMemoryHub(more: Partial<HubOptions> = {}): Promise<RootHub> {
  const paths = more.paths ?? temporaryPaths();
  // Nothing is looked up outside of this machine.
  const registries = JSON.stringify({ official: false, smithery: false });
  writeFileSync(join(paths.config, 'registries.json'), registries, { mode: 0o600 });
  const { PATH } = process.env;
  return openHub({
    paths,
    cwd: paths.state,
    env: { PATH, PLUG_NO_KEYRING: '1' },
    version: '1.0.0',
    storage: { kind: 'memory' },
    ...more,
  });
}

/** Runs a hub with real listeners in this process until the test ends. */
export async function startHub(
  hub: FoldersHub | (() => Promise<FoldersHub>),
  options: Partial<RunHubOptions> = {},
): Promise<RunningHub & { readonly paths: Paths; readonly token: string; readonly send: Send }> {
  const paths = options.paths ?? temporaryPaths();
  const running = await runHub({
    paths,
    version: '1.0.0',
    open: typeof hub === 'function' ? hub : () => Promise.resolve(hub),
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    ...options,
  });
  onTestFinished(() => running.close());
  return {
    ...running,
    paths,
    send: connectSocket(paths),
    token: readFileSync(running.address.tokenFile, 'utf8').trim(),
  };
}
