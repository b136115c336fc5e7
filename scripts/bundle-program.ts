import { copyFileSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { builtinsByName } from './builtins-by-name.ts';
import { bundlePackages, PACKAGES } from './bundle-packages.ts';
import { filesBelow } from './files-below.ts';
import { plainAscii } from './plain-ascii.ts';
import { stopOnWarning } from './stop-on-warning.ts';

/**
 * Joins what a command and a starting hub load into few files, inside a freshly compiled `dist`: both
 * spend most of their time on loading hundreds of small modules. Everything else stays as tsc has
 * written it. See decisions/2026-11-16-bundled-command.md and those on the hub of 2026-11-18.
 */
export async function bundleProgram(folder: string): Promise<void> {
  const dist = realpathSync(folder); // the bundler names every module by its real path
  await bundlePackages(dist);
  const isIn = (part: string, file: string): boolean => file.startsWith(join(dist, part) + sep);
  const first = await loadedWith(dist, FIRST);
  const early = first.union(await loadedWith(dist, EVERY_CALL));
  const threads = filesBelow(dist, `${sep}thread.js`).filter((file) => !isIn('base', file));
  const ofThreads = await loadedWith(
    dist,
    threads.map((file) => nameIn(dist, file)),
  );
  const ofHub = await loadedWith(dist, HUB);
  const ofCommands = await loadedWith(
    dist,
    filesBelow(join(dist, 'cli'), '.js')
      .map((file) => nameIn(dist, file))
      .concat(COMMANDS_LATER),
  );
  const later = await Promise.all(
    Object.entries(HUB_LATER).map(async ([name, names]) => ({ name, files: await loadedWith(dist, names) })),
  );
  // What reads a paste brings a reader of YAML along, which few commands and no calls need.
  const ofCalls = await loadedWith(dist, [...HUB, ...HUB_LATER.calls, ...HUB_LATER.gateway]);
  const wanted = later.reduce((all, { files }) => all.union(files), early.union(ofHub));
  const isJoined = (file: string): boolean =>
    early.has(file) || (wanted.has(file) && !isIn('cli', file) && !asksWhereItIs(file));
  const shared = [...wanted].filter((file) => isJoined(file) && !isIn('cli', file));
  const bundle = await rolldown({
    cwd: dist,
    input: {
      bin: join(dist, 'bin.js'),
      ...Object.fromEntries(shared.map((file) => [nameIn(dist, file), DOOR + file])),
    },
    platform: 'neutral', // else bin.js would import the bundler's own code before it knows its Node
    tsconfig: false,
    plugins: [
      doors(),
      restAsItIs({ dist, isBundled: (file) => isIn('cli', file) || isJoined(file) }),
      builtinsByName(),
      plainAscii(),
    ],
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false }, // to have it in one file is the purpose
    onLog: stopOnWarning,
  });
  await bundle.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: `${JOINED}/[name].js`,
    comments: false, // their licences stand beside them
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'first', test: (id) => first.has(id) },
        // Apart from the rest, so that the library and the threads load no command line. The table of
        // operations is the library's as well.
        {
          name: 'base',
          test: (id) => early.has(id) && ['base', 'servers', 'hub'].some((part) => isIn(part, id)),
        },
        { name: 'cli', test: (id) => (early.has(id) && isIn('cli', id)) || isCommander(id) },
        { name: 'client', test: (id) => early.has(id) },
        // A thread needs little of the hub, and so does a command: none of these may need the hub back.
        { name: 'threads', test: (id) => ofThreads.has(id) && isJoined(id) },
        { name: 'commands', test: (id) => ofCommands.has(id) && ofCalls.has(id) && isJoined(id) },
        { name: 'pastes', test: (id) => ofCommands.has(id) && isJoined(id) },
        { name: 'hub', test: (id) => ofHub.has(id) && isJoined(id) },
        ...later.map(({ name, files }) => ({ name, test: (id: string) => files.has(id) && isJoined(id) })),
      ],
    },
  });
  const licence = new URL('LICENSE', import.meta.resolve('commander'));
  copyFileSync(licence, join(dist, JOINED, 'LICENSE-commander'));
  // Only the program imports the command line, so nobody looks for its modules any more.
  rmSync(join(dist, 'cli'), { recursive: true });
}

/** One folder below `dist`, as `dist/cli` was: what is named relative to a module is still there. */
const JOINED = 'joined';

/** What the program loads before it may read compiled code from its cache: all else waits until then. */
const FIRST = ['base/paths', 'base/compile-cache'];

/** What `plug call` loads, each with all that it imports. Other commands share most of it. */
const EVERY_CALL = [
  'cli/run',
  'cli/hub-control',
  'cli/grammar/tools',
  'cli/commands/call',
  'cli/arguments',
  'cli/render/call-result',
];

/** What `plug hub start` loads, likewise. */
const HUB = ['daemon/run-hub', 'hub/open-hub', 'storage/sqlite/open'];

/** What commands load by `import()`, some of them to start a hub. */
const COMMANDS_LATER = ['daemon/ensure-hub', 'daemon/open-address', 'base/logger', 'catalog/names'];

/** What a hub loads when it is first asked for it, each with all that it imports and no earlier one does. */
const HUB_LATER = {
  calls: ['calls/call'],
  remote: ['connections/open-remote', 'connections/http/http-client', 'connections/http/capped-fetch'],
  plans: ['hub/plans/open', 'hub/plans/outgoing', 'servers/clients/follow', 'servers/paste/parse-paste'],
  packages: ['connections/packages/package-store', 'connections/packages/launch'],
  gateway: ['daemon/gateway-fronts'],
};

async function loadedWith(dist: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const onlyStatic: Plugin = {
    name: 'only-static-imports',
    resolveId: (id, _importer, { kind }) =>
      kind === 'dynamic-import' || !/^[./]/.test(id) ? { id, external: true } : undefined,
  };
  const input = names.map((name) => join(dist, `${name}.js`));
  const bundle = await rolldown({
    cwd: dist,
    input,
    tsconfig: false,
    treeshake: false,
    plugins: [onlyStatic],
  });
  const { output } = await bundle.generate();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  const ours = (id: string): boolean =>
    id.startsWith(dist + sep) && !id.startsWith(join(dist, PACKAGES) + sep);
  return new Set(modules.filter(ours));
}

function nameIn(dist: string, file: string): string {
  return relative(dist, file).slice(0, -'.js'.length);
}

/** Such a module stays where it is: in the bundle it would be told another place. */
function asksWhereItIs(file: string): boolean {
  return readFileSync(file, 'utf8').includes('import.meta');
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
      throw new Error(`A module deep in ${folder}/ asks where it is, and would hear ${JOINED}/: ${id}`);
    },
  };
}

function isCommander(id: string): boolean {
  return /[\\/]node_modules[\\/]commander[\\/]/.test(id);
}
