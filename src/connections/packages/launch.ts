import { realpath } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import type { LocalEndpoint } from '../../servers/definition.ts';
import { findCommand } from '../processes/find-command.ts';
import { runToEnd } from '../processes/run-command.ts';
import type { Bounds } from '../limits.ts';
import { fitsEngines } from './engines.ts';
import { isWithin } from './file-list.ts';
import { chosenProgram } from './npm-programs.ts';
import type { PackagedRun } from './packaged-run.ts';
import type { InstalledPackage } from './record.ts';

export interface LauncherOptions extends Bounds {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly searchPath: () => Promise<string>;
}

export type Launched =
  | { readonly kind: 'ok'; readonly endpoint: LocalEndpoint; readonly file: string }
  | { readonly kind: 'runner'; readonly why: string };

/** Beside the files of the package, and none of them: it goes with them. */
const COMPILED = 'compiled';

/** Turns an installed package into the command that starts its own program. */
export class Launcher {
  readonly #options: LauncherOptions;
  /** By path: a Node that is replaced in its place is asked again by the next hub. */
  readonly #versions = new Map<string, Promise<string | undefined>>();

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  async launch(
    endpoint: LocalEndpoint,
    run: Extract<PackagedRun, { kind: 'package' }>,
    installed: InstalledPackage,
  ): Promise<Launched> {
    const { folder, name, registry } = installed;
    const wanted = run.program ?? (registry === 'pypi' ? name.replace(/\[.*$/, '') : undefined);
    const program = chosenProgram(installed, wanted);
    if (program === undefined) {
      const programs = Object.keys(installed.programs).join(', ');
      return { kind: 'runner', why: `${name} has no program “${wanted ?? name}”, only ${programs}` };
    }
    const file = join(folder, program.file);
    // What is started is in the store, whatever links have been put on the way.
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined || !isWithin(await realpath(folder), real)) {
      return { kind: 'runner', why: `${program.file} is no longer in the folder of ${name}` };
    }
    const path = endpoint.env['PATH'] ?? (await this.#options.searchPath());
    const bin = join(folder, registry === 'npm' ? 'node_modules/.bin' : 'venv/bin');
    // A server may start programs of packages that it depends on. Node 22 and later keeps what it compiled.
    const compiled = { NODE_COMPILE_CACHE: join(folder, COMPILED) };
    const env = { ...compiled, ...endpoint.env, PATH: `${bin}${delimiter}${path}` };
    if (program.node === undefined) {
      return { kind: 'ok', file, endpoint: { ...endpoint, command: file, args: run.args, env } };
    }
    const node = await this.#node(path, installed.engines);
    const args = [...program.node, file, ...run.args];
    return { kind: 'ok', file, endpoint: { ...endpoint, command: node, args, env } };
  }

  /** The Node that npx would run it by, unless only the hub's own is one that the package runs on. */
  async #node(path: string, engines: string | undefined): Promise<string> {
    const { home, platform } = this.#options;
    const own = /^node(?:\.exe)?$/i.test(basename(process.execPath)) ? process.execPath : undefined;
    const ofPath = await findCommand({ command: 'node', cwd: home, path, home, platform }).catch(
      (error: unknown) => {
        if (own === undefined) throw error;
        return own;
      },
    );
    if (engines === undefined || own === undefined || ofPath === own) return ofPath;
    const version = await this.#version(ofPath);
    const better =
      version !== undefined && !fitsEngines(engines, version) && fitsEngines(engines, process.version);
    return better ? own : ofPath;
  }

  #version(node: string): Promise<string | undefined> {
    const known = this.#versions.get(node) ?? this.#ask(node);
    this.#versions.set(node, known);
    return known;
  }

  async #ask(node: string): Promise<string | undefined> {
    const { platform, clock, limits } = this.#options;
    const env = { PATH: '' };
    const bounds = { timeMs: limits.loginPathTimeoutMs, bytesMax: limits.loginPathBytesMax };
    const end = await runToEnd(node, ['--version'], { env, platform, clock, ...bounds }).catch(
      () => undefined,
    );
    return end?.kind === 'ended' && end.code === 0 ? end.stdout.trim() : undefined;
  }
}
