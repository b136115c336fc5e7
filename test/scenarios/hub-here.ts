import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { findPaths, type Paths } from '../../src/base/paths.ts';
import type { HubControl, HubRun } from '../../src/cli/session.ts';
import { hubFiles } from '../../src/daemon/address.ts';
import { holdHome, hubsOf, type Shell } from './command-here.ts';
import { descendantsOf } from './descendants.ts';

/**
 * What starts and finds the hub of a home, in this process instead of one of its own: with the same
 * listeners, files and servers, as `plug hub start --foreground` runs it, for a tenth of what a start
 * costs. A hub that runs already is used. Where Node's home folder is another's, a process is started.
 */
export function hubsHere(shell: Shell, usual: HubControl = hubsOf(shell)): HubControl {
  const ensure = async (): Promise<boolean> => await startHere(shell, usual);
  return {
    ...usual,
    connect: async (...given) => await ensure().then(() => usual.connect(...given)),
    start: async (signal) => {
      const started = await ensure();
      const hub = await usual.start(signal);
      return { ...hub, started: hub.started || started };
    },
    pageLink: async (signal) => await ensure().then(() => usual.pageLink(signal)),
    openPage: async (signal) => await ensure().then(() => usual.openPage(signal)),
    stop: async () => {
      const here = running.get(pathsOf(shell).state);
      if (!here) return await usual.stop();
      const found = await usual.find();
      here.end.abort();
      await here.ended;
      return found;
    },
  };
}

/** What runs below this process and did not when the hub of this home began here; undefined when none did. */
export function startedSince(shell: Shell): readonly number[] | undefined {
  const before = running.get(pathsOf(shell).state)?.before;
  return before && descendantsOf(process.pid).filter((pid) => !before.has(pid));
}

interface RunningHere {
  readonly end: AbortController;
  readonly ready: Promise<boolean>;
  readonly ended: Promise<void>;
  readonly before: ReadonlySet<number>;
}

/** By folder of state. */
const running = new Map<string, RunningHere>();

/** Whether one was started. */
async function startHere(shell: Shell, usual: HubControl): Promise<boolean> {
  const paths = pathsOf(shell);
  const known = running.get(paths.state);
  if (known) return await known.ready.then(() => false);
  const release = holdHome(shell);
  if (!release) return false;
  const end = new AbortController();
  const ready = Promise.withResolvers<boolean>();
  const before = new Set(descendantsOf(process.pid));
  const onReady = (): Promise<void> => Promise.resolve(ready.resolve(true));
  const ended = (async () => {
    try {
      if (await usual.find()) ready.resolve(false);
      else await runHub(shell, paths, { signal: end.signal, port: undefined, onReady });
    } catch (error) {
      ready.reject(error);
    } finally {
      running.delete(paths.state);
      release();
    }
  })();
  running.set(paths.state, { end, ready: ready.promise, ended, before });
  return await ready.promise;
}

/** With its log where a hub that was started in the background has it. */
async function runHub(shell: Shell, paths: Paths, run: HubRun): Promise<void> {
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  const log = openSync(hubFiles(paths).log, 'a', 0o600);
  try {
    await hubsOf(shell, (line) => writeSync(log, line)).run(run);
  } finally {
    closeSync(log);
  }
}

function pathsOf({ env }: Shell): Paths {
  return findPaths({ env, platform: process.platform });
}
