import { copyFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { builtinsByName } from './builtins-by-name.ts';

/**
 * Joins what the command line is made of into few files, inside a freshly compiled `dist`: a command
 * that loads sixty small modules spends most of its time on loading them. Everything else stays as
 * tsc has written it. See decisions/2026-11-16-bundled-command.md.
 */
export async function bundleCommand(folder: string): Promise<void> {
  const dist = realpathSync(folder); // the bundler names every module by its real path
  const isIn = (part: string, file: string): boolean => file.startsWith(join(dist, part) + sep);
  const early = new Set(await modulesOfEveryCall(dist));
  const shared = [...early].filter((file) => !isIn('cli', file));
  const bundle = await rolldown({
    cwd: dist,
    input: {
      bin: join(dist, 'bin.js'),
      ...Object.fromEntries(
        shared.map((file) => [relative(dist, file).slice(0, -'.js'.length), DOOR + file]),
      ),
    },
    platform: 'neutral', // else bin.js would import the bundler's own code before it knows its Node
    tsconfig: false,
    plugins: [
      doors(),
      restAsItIs({ dist, isBundled: (file) => isIn('cli', file) || early.has(file) }),
      builtinsByName(),
    ],
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false }, // to have it in one file is the purpose
    onLog: stopOnWarning,
  });
  await bundle.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: `${COMMAND}/[name].js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        // Apart from the rest, so that the library and the threads load no command line. The table of
        // operations is the library's as well.
        {
          name: 'base',
          test: (id) => early.has(id) && ['base', 'servers', 'hub'].some((part) => isIn(part, id)),
        },
        { name: 'client', test: (id) => shared.includes(id) },
        { name: 'cli', test: (id) => early.has(id) || isCommander(id) },
      ],
    },
  });
  const licence = new URL('LICENSE', import.meta.resolve('commander'));
  copyFileSync(licence, join(dist, COMMAND, 'LICENSE-commander'));
  // Only the program imports the command line, so nobody looks for its modules any more.
  rmSync(join(dist, 'cli'), { recursive: true });
}

/** One folder below `dist`, as `dist/cli` was: what is named relative to a module is still there. */
const COMMAND = 'command';

/** What `plug call` loads, each with all that it imports. Other commands share most of it. */
const EARLY = [
  'cli/run',
  'cli/hub-control',
  'cli/grammar/tools',
  'cli/commands/call',
  'cli/arguments',
  'cli/render/call-result',
];

async function modulesOfEveryCall(dist: string): Promise<readonly string[]> {
  const onlyStatic: Plugin = {
    name: 'only-static-imports',
    resolveId: (id, _importer, { kind }) =>
      kind === 'dynamic-import' || !/^[./]/.test(id) ? { id, external: true } : undefined,
  };
  const input = EARLY.map((name) => join(dist, `${name}.js`));
  const bundle = await rolldown({ cwd: dist, input, tsconfig: false, plugins: [onlyStatic] });
  const { output } = await bundle.generate();
  return output
    .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    .filter((id) => id.startsWith(dist + sep));
}

/**
 * A module that the hub or the library imports too keeps its file, which now hands on what is in the
 * bundle. So there is one of each in a process, however it was reached: one PlugError above all.
 */
function doors(): Plugin {
  return {
    name: 'doors',
    resolveId: (id) => (id.startsWith(DOOR) ? id : undefined),
    load: (id) =>
      id.startsWith(DOOR) ? `export * from ${JSON.stringify(id.slice(DOOR.length))};` : undefined,
  };
}

const DOOR = '\0door:';

interface Rest {
  readonly dist: string;
  readonly isBundled: (file: string) => boolean;
}

/** Of ours, only the command line is joined; of others', only what reads the command line. */
function restAsItIs({ dist, isBundled }: Rest): Plugin {
  return {
    name: 'rest-as-it-is',
    resolveId: (id, importer) => {
      if (importer === undefined || importer.startsWith(DOOR)) return undefined;
      if (!id.startsWith('.')) return id === 'commander' ? undefined : { id, external: true };
      if (isCommander(importer)) return undefined;
      const file = resolve(dirname(importer), id);
      return isBundled(file) ? file : { id: file, external: 'relative' };
    },
    transform: (code, id) => {
      const [folder = '', ...below] = relative(dist, id).split(sep);
      const moves = id.startsWith(dist + sep) && id !== join(dist, 'bin.js') && below.length !== 1;
      if (!moves || !code.includes('import.meta')) return;
      throw new Error(`A module deep in ${folder}/ asks where it is, and would hear ${COMMAND}/: ${id}`);
    },
  };
}

function isCommander(id: string): boolean {
  return /[\\/]node_modules[\\/]commander[\\/]/.test(id);
}

function stopOnWarning(level: string, { message }: { readonly message?: string }): void {
  if (level === 'warn') throw new Error(message ?? 'The bundler warned of something.');
}
