import { defined } from '../../base/defined.ts';
import type { LocalEndpoint, PackageRef } from '../../servers/definition.ts';
import { commandPackage, namePackage } from '../../servers/plans/command-package.ts';
import { programOf } from '../../servers/paste/commands/run-command.ts';
import { wordSet } from '../../servers/word-set.ts';

/** One version of one package, and no other. */
export interface WantedPackage {
  readonly registry: 'npm' | 'pypi';
  /** For Python with its extras: `name[cli]`. */
  readonly name: string;
  readonly version: string;
  /** As approved with the plan: `sha512-…`. */
  readonly integrity?: string;
}

/** What `npx …` or `uvx …` comes to, as far as it can be started without the runner. */
export type PackagedRun =
  | {
      readonly kind: 'package';
      readonly package: WantedPackage;
      /** The program of the package; absent where the runner would choose it. */
      readonly program?: string;
      readonly args: readonly string[];
    }
  /** It runs a package, but only its runner can do what is written. */
  | { readonly kind: 'runner'; readonly why: string; readonly package?: UnpinnedPackage }
  | { readonly kind: 'none' };

export type UnpinnedPackage = Pick<WantedPackage, 'registry' | 'name'>;

/** `pinned` counts where the command names the same package and no exact version. */
export function packagedRun(endpoint: LocalEndpoint, pinned?: PackageRef): PackagedRun {
  const { command, args } = endpoint;
  const runner = RUNNERS.get(programOf(command));
  if (runner === undefined || runner.words.some((word, index) => args[index] !== word)) return NONE;
  const found = commandPackage(command, args);
  if (found === undefined) return NONE;
  const { name, registry } = found.package;
  if (registry !== runner.registry) return NONE;
  const rest = restOf(runner, args, found.index);
  if (rest.kind === 'runner') return rest;
  const setting = Object.keys(endpoint.env).find((variable) => runner.settings.test(variable));
  if (setting !== undefined) return onlyRunner(`its variable ${setting} sets up ${runner.manager}`);
  const wanted = versionOf(found.package, pinned);
  if (wanted === undefined) {
    const why = 'its command names no exact version';
    return { kind: 'runner', why, package: { registry: runner.registry, name } };
  }
  return { kind: 'package', package: { registry: runner.registry, name, ...wanted }, ...rest.run };
}

interface Runner {
  readonly registry: WantedPackage['registry'];
  readonly manager: string;
  readonly words: readonly string[];
  /** Options that change neither what is run nor where it comes from. */
  readonly kept: ReadonlySet<string>;
  /** Options before the package. */
  readonly names: ReadonlySet<string>;
  /** Options among the arguments are the runner's own up to a `--`. */
  readonly readsOn?: true;
  /** Variables that say where packages come from, or what is done with them. */
  readonly settings: RegExp;
}

const NPX: Runner = {
  registry: 'npm',
  manager: 'npm',
  words: [],
  kept: wordSet('-y --yes -q --quiet --silent --prefer-online --prefer-offline --ignore-scripts'),
  names: wordSet('-p --package'),
  settings: /^npm_config_/i,
};
const UVX: Runner = {
  registry: 'pypi',
  manager: 'uv',
  words: [],
  kept: wordSet('-q --quiet --isolated'),
  names: wordSet('--from'),
  settings: /^(?:uv|pip)_/i,
};

/** The runners of npm and uv themselves; others bring a runtime or a store of their own. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ['npx', NPX],
  ['npm', { ...NPX, words: ['exec'], readsOn: true }],
  ['uvx', UVX],
  ['uv', { ...UVX, words: ['tool', 'run'] }],
]);

const NONE = { kind: 'none' } as const;

function onlyRunner(why: string): Extract<PackagedRun, { kind: 'runner' }> {
  return { kind: 'runner', why };
}

/** What stands around the package: known options before it, program and arguments after it. */
function restOf(runner: Runner, args: readonly string[], index: number) {
  const named =
    runner.names.has((args[index] ?? '').split('=', 1)[0] ?? '') || runner.names.has(args[index - 1] ?? '');
  const before = args.slice(runner.words.length, index);
  const odd = before.find((word) => !runner.kept.has(word) && !runner.names.has(word) && word !== '--');
  if (odd !== undefined) return onlyRunner(`its option ${odd.slice(0, 60)} is for ${runner.manager}`);
  const after = args.slice(index + 1);
  if (!named) {
    const split = runner.readsOn === true ? after.indexOf('--') : -1;
    const read = runner.readsOn === true ? after.slice(0, split < 0 ? after.length : split) : [];
    const option = read.find((word) => word.startsWith('-'));
    if (option !== undefined) return onlyRunner(`its option ${option.slice(0, 60)} is for ${runner.manager}`);
    return { kind: 'ok', run: { args: split < 0 ? after : after.toSpliced(split, 1) } } as const;
  }
  const at = after.findIndex((word) => !runner.kept.has(word) && word !== '--');
  const program = after[at];
  if (program === undefined || program.startsWith('-'))
    return onlyRunner(`its option ${(program ?? '').slice(0, 60)} is for ${runner.manager}`);
  return { kind: 'ok', run: { program, args: after.slice(at + 1) } } as const;
}

function versionOf(
  written: {
    readonly name: string;
    readonly registry: string;
    readonly version?: string;
    readonly pinned: string;
  },
  pinned: PackageRef | undefined,
): Pick<WantedPackage, 'version' | 'integrity'> | undefined {
  const same = pinned?.registry === written.registry && pinned.name === written.name ? pinned : undefined;
  const exact = written.pinned === 'exact' ? written.version : undefined;
  const version = exact ?? exactIn(same);
  if (version === undefined) return undefined;
  return { version, ...defined({ integrity: same?.version === version ? same.integrity : undefined }) };
}

/** A recorded version becomes a part of a path: it is read as strictly as a written one. */
function exactIn(pinned: PackageRef | undefined): string | undefined {
  if (pinned === undefined) return undefined;
  const { registry: type, name: identifier, version } = pinned;
  const read = namePackage({ type, identifier, version });
  return read.kind === 'ok' && read.package.pinned === 'exact' ? read.package.version : undefined;
}
