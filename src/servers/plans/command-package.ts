import { programOf } from '../paste/commands/run-command.ts';
import { namePackage } from './package-name.ts';
import type { PlanPackage, PlanPart } from './plan.ts';

export interface CommandPackage {
  readonly package: PlanPackage;
  readonly index: number;
  readonly before: readonly PlanPart[];
}

export function commandPackage(command: string, args: readonly string[]): CommandPackage | undefined {
  const runner = RUNNERS.get(programOf(command));
  if (runner === undefined) return undefined;
  if (runner.words.some((word, index) => args[index] !== word)) return undefined;
  for (let index = runner.words.length; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const [, flag = word, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (runner.names.has(flag)) {
      if (value !== undefined) return named(runner.type, value, index, [`${flag}=`]);
      return named(runner.type, args[index + 1] ?? '', index + 1, []);
    }
    if (!word.startsWith('-')) return named(runner.type, word, index, []);
    if (value === undefined && runner.takes.has(flag)) index += 1;
  }
  return undefined;
}

function named(
  type: string,
  identifier: string,
  index: number,
  before: readonly PlanPart[],
): CommandPackage | undefined {
  const read = namePackage({
    type,
    identifier,
    runtimeArguments: [],
    packageArguments: [],
    environment: [],
    transport: { kind: 'stdio' },
    extra: {},
  });
  return read.kind === 'ok' ? { package: read.package, index, before } : undefined;
}

interface Runner {
  readonly type: 'npm' | 'pypi' | 'oci' | 'nuget';
  readonly words: readonly string[];
  readonly takes: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const NPX: Runner = {
  type: 'npm',
  words: [],
  takes: set('-c --call --registry --userconfig'),
  names: set('-p --package'),
};
const UVX: Runner = {
  type: 'pypi',
  words: [],
  takes: set('--python -p --with --index --index-url'),
  names: set('--from'),
};
const DOCKER: Runner = {
  type: 'oci',
  words: ['run'],
  takes: set(
    '-e --env -v --volume --mount -p --publish --name --network --net --user -u -w --workdir --env-file --platform --add-host -m --memory --cpus --entrypoint --pull -l --label',
  ),
  names: new Set(),
};

const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ['npx', NPX],
  ['bunx', NPX],
  ['pnpx', NPX],
  ['npm', { ...NPX, words: ['exec'] }],
  ['pnpm', { ...NPX, words: ['dlx'] }],
  ['uvx', UVX],
  ['uv', { ...UVX, words: ['tool', 'run'] }],
  ['pipx', { ...UVX, words: ['run'], names: set('--spec') }],
  ['docker', DOCKER],
  ['podman', DOCKER],
  ['dnx', { type: 'nuget', words: [], takes: set('--source --add-source'), names: new Set() }],
]);
