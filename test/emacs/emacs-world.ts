import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { PlayedTool } from '../scenarios/calls-played.ts';
import { answerOf, bin, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { programFile } from '../suite/program-file.ts';
import { findEmacs } from './find-emacs.ts';

const packageFolder: string = fileURLToPath(new URL('../../editors/emacs/', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

/** A hub that runs, with servers from its own file, and a folder in which they leave marks. */
export interface EmacsWorld {
  readonly plug: Plug;
  readonly folder: string;
}

export type Servers = Readonly<Record<string, JsonObject>>;

export async function openEmacsWorld(make: (folder: string) => Servers): Promise<EmacsWorld> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', rules: 'shipped' });
  const folder = temporaryFolder();
  const home = `${plug.home}/plug`;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: make(folder) }), { mode: 0o600 });
  expect((await plug('hub', 'start')).code).toBe(0);
  return { plug, folder };
}

/** An entry of a server whose tools stand in a file, and whose calls are written beside it. */
export function playedEntry(folder: string, id: string, tools: readonly PlayedTool[]): JsonObject {
  const file = join(folder, `${id}.json`);
  writeFileSync(file, JSON.stringify(tools));
  return { command: process.execPath, args: [programFile('scenarios/calls-server'), file] };
}

export function fixtureEntry(behavior: string): JsonObject {
  const { command, args } = stdioFixture(behavior);
  return { command, args: [...args] };
}

/** What each test of a run in Emacs came to, by its name, and all that was printed. */
export interface EmacsRun {
  readonly passed: ReadonlySet<string>;
  readonly failed: readonly string[];
  readonly said: string;
}

/** Runs suites one after the other in one batch Emacs: a process for each would cost more than the tests. */
export async function runSuites(
  world: EmacsWorld,
  suites: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<EmacsRun> {
  const { plug, folder } = world;
  const env = {
    PLUG_HOME: `${plug.home}/plug`,
    PLUG_TEST_FOLDER: folder,
    PLUG_TEST_COMMAND: `${process.execPath}\n${bin}`,
    ...more,
  };
  return runInEmacs(suites, { home: plug.home, folder, env, gptel: gptelFolders });
}

interface InEmacs {
  readonly home: string;
  readonly folder: string;
  readonly gptel: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function runInEmacs(
  suites: readonly string[],
  { home, folder, env, gptel }: InEmacs,
): Promise<EmacsRun> {
  const loadPath = [packageFolder, here, ...gptel].flatMap((path) => ['-L', path]);
  const loads = suites.flatMap((suite) => ['-l', `${suite}.el`]);
  const args = ['-Q', '--batch', ...loadPath, ...loads, '-f', 'ert-run-tests-batch-and-exit'];
  const child = spawn(findEmacs(), args, {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      LANG: 'C.UTF-8',
      PLUG_TEST_PATIENCE: process.env['PLUG_TEST_PATIENCE'] ?? '1',
      ...env,
    },
    cwd: folder,
  });
  const { stdout, stderr } = await answerOf(child);
  const said = stdout + stderr;
  for (const line of said.match(/^figure: .*$/gm) ?? []) process.stdout.write(`${line}\n`);
  const named = (what: string): string[] =>
    [...said.matchAll(new RegExp(String.raw`^ +${what} +\d+/\d+ +(\S+)`, 'gm'))].map(([, name = '']) => name);
  return { passed: new Set(named('passed')), failed: named('FAILED'), said };
}

/** Folders of a real gptel and what it needs (scripts/test-gptel.ts), or of its stand-in. */
const real = process.env['PLUG_TEST_GPTEL']?.split('\n');
export const hasRealGptel: boolean = real !== undefined;
const gptelFolders: readonly string[] = real ?? [join(here, 'standin')];
